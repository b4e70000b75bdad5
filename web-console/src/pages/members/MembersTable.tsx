import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { useRefresh } from '../../api/queries';
import type { Member, Role } from '../../api/types';
import { useHere } from '../../frame/here';
import { exactTime, fromNow } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { roleMeans, ROLES } from '../../lib/roles';
import { useCall } from '../../lib/use-call';
import { useNow } from '../../lib/use-now';
import { Button } from '../../ui/Button';
import { DangerDialog } from '../../ui/DangerDialog';
import { Choice } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { Listing } from '../../ui/Listing';
import { Exact } from '../../ui/Tip';
import { noteDone } from '../../ui/done-notes';

interface Props {
  query: UseQueryResult<Member[]>;
  blocked: string | null;
}

const shown = (member: Member) => member.name || member.email;

/** Why a member's place cannot be changed: an organisation always keeps an owner. */
export function keepsOwner(member: Member, all: readonly Member[]): string | null {
  if (member.role !== 'owner' || all.filter((other) => other.role === 'owner').length > 1) return null;
  return 'The only owner stays one. Make somebody else an owner first.';
}

export function MembersTable({ query, blocked }: Props) {
  const { org, me } = useHere();
  const { zone } = usePrefs();
  const now = useNow(10_000);
  const refresh = useRefresh();
  const [changing, setChanging] = useState<Member | null>(null);
  const [removing, setRemoving] = useState<Member | null>(null);

  return (
    <>
      <Listing query={query} what="members" columns={['Member', 'Role', 'Last signed in']}>
        {(members) => (
          <table>
            <caption className="vh">Members of {org.name}</caption>
            <thead>
              <tr>
                <th>Member</th>
                <th>Role</th>
                <th className="num from-desk">Last signed in</th>
                <th className="num from-desk from-1060">Joined</th>
                <th>
                  <span className="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {members.map((member) => {
                const stays = keepsOwner(member, members);
                return (
                  <tr key={member.id}>
                    <td>
                      <div className="two-lines">
                        <span className="bold">
                          {shown(member)}
                          {member.id === me.user.id ? <span className="ink3"> (you)</span> : null}
                        </span>
                        {member.name ? <span className="tiny ink3 break">{member.email}</span> : null}
                      </div>
                    </td>
                    <td className="ink2">{member.role ?? <span title="Roles in projects only">in projects only</span>}</td>
                    <td className="num ink2 from-desk">{member.last_login_at ? <Exact value={fromNow(member.last_login_at, now)} exact={exactTime(member.last_login_at, zone)} /> : <span className="ink3">never</span>}</td>
                    <td className="num ink3 from-desk from-1060">
                      <Exact value={fromNow(member.joined_at, now)} exact={exactTime(member.joined_at, zone)} />
                    </td>
                    <td className="num">
                      <span className="line row-actions">
                        <Button size="compact" aria-label={`Change role of ${shown(member)}`} blocked={blocked ?? stays} onClick={() => setChanging(member)}>
                          Change role
                        </Button>
                        <Button size="compact" look="danger" aria-label={member.id === me.user.id ? `Leave ${org.name}` : `Remove ${shown(member)}`} blocked={(member.id === me.user.id ? null : blocked) ?? stays} onClick={() => setRemoving(member)}>
                          {member.id === me.user.id ? 'Leave' : 'Remove'}
                        </Button>
                      </span>
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        )}
      </Listing>
      {changing ? <RoleDialog member={changing} onClose={() => setChanging(null)} /> : null}
      <DangerDialog
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        act={removing?.id === me.user.id ? 'Leave organisation' : 'Remove member'}
        name={removing?.email ?? ''}
        impact={[{ what: 'Roles taken away', figure: removing?.role ?? 'in projects' }]}
        consequence={`Sessions and personal tokens in ${org.name} end at once. Credentials that were issued stay valid: clients are not affected. A new invitation brings the person back.`}
        onConfirm={async () => {
          if (!removing) return;
          await api.DELETE('/v1/orgs/{org}/members/{member}', { params: { path: { org: org.id, member: removing.id }, header: { 'If-Match': removing.etag } } });
          await refresh('members', 'role-assignments', 'tree');
          noteDone(`${shown(removing)} removed from ${org.name}.`);
        }}
      />
    </>
  );
}

function RoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { org } = useHere();
  const refresh = useRefresh();
  const call = useCall();
  const [role, setRole] = useState<Role>(member.role ?? 'viewer');
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={`Role of ${shown(member)}`}
      lead="In the whole organisation; roles in single projects stay."
      act="Change role"
      blocked={role === member.role ? 'The role is as it was.' : null}
      call={call}
      onSubmit={async () => {
        const done = await call.run(async () => {
          await api.PATCH('/v1/orgs/{org}/members/{member}', {
            params: { path: { org: org.id, member: member.id }, header: { 'If-Match': member.etag } },
            body: { role },
            headers: { 'Content-Type': 'application/merge-patch+json' },
          });
          await refresh('members', 'role-assignments', 'principal', 'me');
        });
        if (!done) return;
        noteDone(`${shown(member)} is ${role} now.`);
        onClose();
      }}
    >
      <Choice label="Role" value={role} onChange={setRole} options={ROLES} help={roleMeans(role)} />
    </FormDialog>
  );
}
