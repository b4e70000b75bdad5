import { Fragment, useState } from 'react';
import { api } from '../../api/client';
import { useRefresh } from '../../api/queries';
import { useMembers, useProjects, useRoleAssignments, useTokens } from '../../api/resources';
import type { ApiTokenResult, ServiceAccount } from '../../api/types';
import { useHere } from '../../frame/here';
import { count, exactTime, fromNow } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { useCall } from '../../lib/use-call';
import { useNow } from '../../lib/use-now';
import { Button } from '../../ui/Button';
import { DangerDialog } from '../../ui/DangerDialog';
import { ErrorLine } from '../../ui/ErrorPanel';
import { Listing } from '../../ui/Listing';
import { RowButton } from '../../ui/RowButton';
import { StateMark } from '../../ui/StateMark';
import { CopyTerraform } from '../../ui/Terraform';
import { Exact } from '../../ui/Tip';
import { noteDone } from '../../ui/done-notes';
import { useTableKeys } from '../../ui/use-table-keys';
import { GiveDialog } from '../members/AssignmentsTab';
import { TokensTable } from './TokensTable';

interface Props {
  rows: readonly ServiceAccount[];
  blocked: string | null;
  onToken: (account: ServiceAccount) => void;
  onRotated: (result: ApiTokenResult) => void;
}

const idOf = (entry: ServiceAccount) => entry.id;

export function ServiceAccountsTable({ rows, blocked, onToken, onRotated }: Props) {
  const { org } = useHere();
  const { zone } = usePrefs();
  const now = useNow(10_000);
  const refresh = useRefresh();
  const projects = useProjects(org.id);
  const [opened, setOpened] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<ServiceAccount | null>(null);
  const toggle = (entry: ServiceAccount) => setOpened((before) => (before === entry.id ? null : entry.id));
  const active = useTableKeys({ rows, id: idOf, onOpen: toggle, copy: (entry) => entry.name });
  return (
    <>
      <table className="pick">
        <caption className="vh">Service accounts</caption>
        <thead>
          <tr>
            <th>Name</th>
            <th>State</th>
            <th className="from-desk">Where</th>
            <th className="num">Tokens</th>
            <th className="num from-desk">Created</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((entry) => (
            <Fragment key={entry.id}>
              <tr id={`row-${entry.id}`} className={active === entry.id ? 'at-keys' : undefined} onClick={() => toggle(entry)}>
                <td>
                  <div className="two-lines">
                    <RowButton opened={opened === entry.id} onToggle={() => toggle(entry)}>
                      {entry.name}
                    </RowButton>
                    {entry.description ? <span className="tiny ink3">{entry.description}</span> : null}
                  </div>
                </td>
                <td>
                  <StateMark state={entry.disabled ? 'held' : entry.token_count === 0 ? 'stale' : 'steady'}>{entry.disabled ? 'disabled' : entry.token_count === 0 ? 'no token' : 'active'}</StateMark>
                </td>
                <td className="ink2 from-desk">{entry.project_id ? `project ${projects.data?.find((project) => project.id === entry.project_id)?.name ?? ''}` : 'everywhere'}</td>
                <td className="num">{count(entry.token_count)}</td>
                <td className="num ink3 from-desk">
                  <Exact value={fromNow(entry.created_at, now)} exact={exactTime(entry.created_at, zone)} />
                </td>
              </tr>
              {opened === entry.id ? (
                <tr className="detail-row">
                  <td colSpan={5}>
                    <Detail entry={entry} blocked={blocked} onToken={() => onToken(entry)} onDelete={() => setDeleting(entry)} onRotated={onRotated} />
                  </td>
                </tr>
              ) : null}
            </Fragment>
          ))}
        </tbody>
      </table>
      <DangerDialog
        opened={deleting !== null}
        onClose={() => setDeleting(null)}
        act="Delete service account"
        name={deleting?.name ?? ''}
        impact={[{ what: 'Tokens that stop working', figure: deleting?.token_count ?? 0 }]}
        consequence="Its roles go with it. There is no undo."
        onConfirm={async () => {
          if (!deleting) return;
          await api.DELETE('/v1/service-accounts/{service_account}', { params: { path: { service_account: deleting.id }, header: { 'If-Match': deleting.etag } } });
          await refresh('service-accounts', 'role-assignments', 'org-tokens');
          noteDone(`Service account ${deleting.name} deleted.`);
        }}
      />
    </>
  );
}

function Detail({ entry, blocked, onToken, onDelete, onRotated }: { entry: ServiceAccount; blocked: string | null; onToken: () => void; onDelete: () => void; onRotated: (result: ApiTokenResult) => void }) {
  const { org } = useHere();
  const refresh = useRefresh();
  const tokens = useTokens(entry.id);
  const assignments = useRoleAssignments(org.id);
  const members = useMembers(org.id);
  const projects = useProjects(org.id);
  const call = useCall();
  const [giving, setGiving] = useState(false);
  const roles = (assignments.data ?? []).filter((row) => row.principal.id === entry.id);
  const toggle = async () => {
    const done = await call.run(async () => {
      await api.PATCH('/v1/service-accounts/{service_account}', {
        params: { path: { service_account: entry.id }, header: { 'If-Match': entry.etag } },
        body: { disabled: !entry.disabled },
        headers: { 'Content-Type': 'application/merge-patch+json' },
      });
      await refresh('service-accounts');
    });
    if (done) noteDone(`Service account ${entry.name} ${entry.disabled ? 'enabled' : 'disabled'}.`);
  };
  return (
    <div className="stack" style={{ padding: '10px 0 14px 18px' }}>
      <p className="small ink2">
        {roles.length
          ? `Roles: ${roles.map((row) => `${row.role} ${row.project_id ? `in ${projects.data?.find((project) => project.id === row.project_id)?.name ?? 'a project'}` : 'everywhere'}`).join(', ')}.`
          : 'It has no role yet, so its tokens are refused everywhere.'}
      </p>
      <Listing query={tokens} what={`tokens of ${entry.name}`} columns={['Token', 'State', 'Ends']} rows={1} empty={<p className="small ink3">No token yet.</p>}>
        {(list) => <TokensTable tokens={list} caption={`Tokens of ${entry.name}`} blocked={blocked} onRotated={onRotated} />}
      </Listing>
      <div className="line wrap">
        <Button size="compact" look="primary" blocked={blocked} onClick={onToken}>
          Create token
        </Button>
        <Button size="compact" blocked={blocked} onClick={() => setGiving(true)}>
          Give role
        </Button>
        <CopyTerraform kind="service_account" object={entry} what={`service account ${entry.name}`} size="compact" />
        <Button size="compact" blocked={blocked ?? (call.busy ? 'The call is under way.' : null)} onClick={() => void toggle()}>
          {entry.disabled ? 'Enable' : 'Disable'}
        </Button>
        <Button size="compact" look="danger" blocked={blocked} onClick={onDelete}>
          Delete service account
        </Button>
      </div>
      {call.error ? <ErrorLine error={call.error} /> : null}
      {giving ? <GiveDialog opened onClose={() => setGiving(false)} members={members.data ?? []} to={entry.id} /> : null}
    </div>
  );
}
