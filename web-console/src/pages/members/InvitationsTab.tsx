import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { useRefresh } from '../../api/queries';
import { useProjects } from '../../api/resources';
import type { Invitation } from '../../api/types';
import { useHere } from '../../frame/here';
import { exactTime, fromNow } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { useCall } from '../../lib/use-call';
import { useNow } from '../../lib/use-now';
import { Button } from '../../ui/Button';
import { ErrorLine } from '../../ui/ErrorPanel';
import { Listing } from '../../ui/Listing';
import { StateMark, type State } from '../../ui/StateMark';
import { Exact } from '../../ui/Tip';
import { Empty } from '../../ui/states';
import { noteDone } from '../../ui/done-notes';

const STATE: Record<Invitation['state'], [State, string]> = {
  pending: ['work', 'waits for an answer'],
  accepted: ['steady', 'accepted'],
  revoked: ['held', 'revoked'],
  expired: ['held', 'ended'],
};

export function InvitationsTab({ query, blocked, onInvite }: { query: UseQueryResult<Invitation[]>; blocked: string | null; onInvite: () => void }) {
  const { org } = useHere();
  const { zone } = usePrefs();
  const now = useNow(10_000);
  const refresh = useRefresh();
  const call = useCall();
  const projects = useProjects(org.id);
  const [busyOn, setBusyOn] = useState<string | null>(null);
  const act = async (invitation: Invitation, run: () => Promise<unknown>, done: string) => {
    setBusyOn(invitation.id);
    const well = await call.run(async () => {
      await run();
      await refresh('invitations');
    });
    setBusyOn(null);
    if (well) noteDone(done);
  };

  return (
    <>
      {call.error ? <ErrorLine error={call.error} /> : null}
      <Listing
        query={query}
        what="invitations"
        columns={['Address', 'State', 'Ends']}
        empty={
          <Empty title="Nobody has been invited yet" drawing={false}>
            <p className="ink2">An invitation is a mail with a link. Whoever accepts is a member with the role you chose.</p>
            <Button look="primary" blocked={blocked} onClick={onInvite}>
              Invite member
            </Button>
          </Empty>
        }
      >
        {(rows) => (
          <table>
            <caption className="vh">Invitations to {org.name}</caption>
            <thead>
              <tr>
                <th>Address</th>
                <th>State</th>
                <th className="from-desk">Role</th>
                <th className="from-desk from-1060">By</th>
                <th className="num from-desk">Sent</th>
                <th className="num from-desk">Ends</th>
                <th>
                  <span className="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => {
                const [state, word] = STATE[row.state];
                const open = row.state === 'pending';
                const project = projects.data?.find((entry) => entry.id === row.project_id);
                return (
                  <tr key={row.id}>
                    <td className="break">{row.email}</td>
                    <td>
                      <StateMark state={state}>{word}</StateMark>
                    </td>
                    <td className="ink2 from-desk">
                      {row.role}
                      {row.project_id ? <span className="ink3"> in {project?.name ?? 'a project'}</span> : null}
                    </td>
                    <td className="ink2 from-desk from-1060">{row.invited_by.name}</td>
                    <td className="num ink2 from-desk">
                      <Exact value={fromNow(row.last_sent_at, now)} exact={exactTime(row.last_sent_at, zone)} />
                    </td>
                    <td className="num ink2 from-desk">{open ? <Exact value={fromNow(row.expires_at, now)} exact={exactTime(row.expires_at, zone)} /> : <span className="ink3">–</span>}</td>
                    <td className="num">
                      {open ? (
                        <span className="line row-actions">
                          <Button
                            size="compact"
                            aria-label={`Send invitation to ${row.email} again`}
                            blocked={blocked ?? (busyOn ? 'A call is under way.' : null)}
                            onClick={() => void act(row, () => api.POST('/v1/invitations/{invitation}/actions/resend', { params: { path: { invitation: row.id } } }), `Invitation sent to ${row.email} again.`)}
                          >
                            Send again
                          </Button>
                          <Button
                            size="compact"
                            look="danger"
                            aria-label={`Revoke invitation to ${row.email}`}
                            blocked={blocked ?? (busyOn ? 'A call is under way.' : null)}
                            onClick={() => void act(row, () => api.DELETE('/v1/invitations/{invitation}', { params: { path: { invitation: row.id }, header: { 'If-Match': row.etag } } }), `Invitation to ${row.email} revoked.`)}
                          >
                            Revoke
                          </Button>
                        </span>
                      ) : null}
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        )}
      </Listing>
    </>
  );
}
