import type { UseQueryResult } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { useRefresh } from '../../api/queries';
import { useProjects, useServiceAccounts } from '../../api/resources';
import type { Member, Role, RoleAssignment } from '../../api/types';
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
import { SelectField } from '../../ui/FormFields';
import { Listing } from '../../ui/Listing';
import { CopyTerraform } from '../../ui/Terraform';
import { Exact } from '../../ui/Tip';
import { noteDone } from '../../ui/done-notes';
import { ScopeField } from './InviteDialog';

/** Who has which role where, people and service accounts alike. */
export function AssignmentsTab({ query, members, blocked }: { query: UseQueryResult<RoleAssignment[]>; members: readonly Member[]; blocked: string | null }) {
  const { org } = useHere();
  const { zone } = usePrefs();
  const now = useNow(10_000);
  const refresh = useRefresh();
  const projects = useProjects(org.id);
  const [giving, setGiving] = useState(false);
  const [taking, setTaking] = useState<RoleAssignment | null>(null);
  const where = (row: RoleAssignment) => (row.project_id ? `project ${projects.data?.find((entry) => entry.id === row.project_id)?.name ?? row.project_id}` : 'everywhere');
  return (
    <>
      <div className="toolbar">
        <span className="small ink3">People and service accounts. A role in the whole organisation holds in all its projects.</span>
        <span className="to-end">
          <Button blocked={blocked} onClick={() => setGiving(true)}>
            <IconPlus size={15} stroke={1.8} aria-hidden="true" />
            Give role
          </Button>
        </span>
      </div>
      <Listing query={query} what="roles" columns={['Who', 'Role', 'Where']}>
        {(rows) => (
          <table>
            <caption className="vh">Roles in {org.name}</caption>
            <thead>
              <tr>
                <th>Who</th>
                <th>Role</th>
                <th className="from-desk">Where</th>
                <th className="num from-desk from-1060">Given</th>
                <th>
                  <span className="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <td>
                    <span className={row.principal.kind === 'service_account' ? 'mono break' : 'break'}>{row.principal.name}</span>
                    {row.principal.kind === 'service_account' ? <span className="tiny ink3"> service account</span> : null}
                  </td>
                  <td className="ink2">
                    {row.role}
                    <div className="only-phone tiny ink3">{where(row)}</div>
                  </td>
                  <td className="ink2 from-desk">{where(row)}</td>
                  <td className="num ink3 from-desk from-1060">
                    <Exact value={fromNow(row.created_at, now)} exact={exactTime(row.created_at, zone)} />
                  </td>
                  <td className="num">
                    <span className="line row-actions">
                      <CopyTerraform kind="role_assignment" object={row} what={`role ${row.role} of ${row.principal.name}`} size="compact" />
                      <Button size="compact" look="danger" aria-label={`Remove role ${row.role} of ${row.principal.name}`} blocked={blocked} onClick={() => setTaking(row)}>
                        Remove
                      </Button>
                    </span>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Listing>
      <GiveDialog opened={giving} onClose={() => setGiving(false)} members={members} />
      <DangerDialog
        opened={taking !== null}
        onClose={() => setTaking(null)}
        act="Remove role of"
        name={taking?.principal.name ?? ''}
        impact={[{ what: 'Role', figure: taking?.role ?? '', more: taking ? where(taking) : '' }]}
        consequence="It works at once, for open sessions and tokens too. The role can be given again."
        onConfirm={async () => {
          if (!taking) return;
          await api.DELETE('/v1/role-assignments/{assignment}', { params: { path: { assignment: taking.id }, header: { 'If-Match': taking.etag } } });
          await refresh('role-assignments', 'members', 'principal');
          noteDone(`${taking.principal.name} is no longer ${taking.role} ${where(taking)}.`);
        }}
      />
    </>
  );
}

export function GiveDialog({ opened, onClose, members, to }: { opened: boolean; onClose: () => void; members: readonly Member[]; to?: string }) {
  const { org } = useHere();
  const refresh = useRefresh();
  const call = useCall();
  const accounts = useServiceAccounts(org.id, opened);
  const [principal, setPrincipal] = useState(to ?? '');
  const [role, setRole] = useState<Role>('developer');
  const [project, setProject] = useState('');
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Give role"
      lead="It adds to the roles there are. It works at once."
      act="Give role"
      blocked={principal ? null : 'Choose who gets it.'}
      call={call}
      onSubmit={async () => {
        const body = { principal_id: principal, role, ...(project ? { project_id: project } : {}) };
        const done = await call.run(async (key) => {
          await api.POST('/v1/orgs/{org}/role-assignments', { params: { path: { org: org.id }, header: { 'Idempotency-Key': key } }, body });
          await refresh('role-assignments', 'members', 'principal');
        }, body);
        if (!done) return;
        noteDone('Role given.');
        onClose();
      }}
    >
      <SelectField
        label="To"
        value={principal}
        onChange={setPrincipal}
        options={[
          { value: '', label: 'Choose' },
          ...members.map((member) => ({ value: member.id, label: member.name ? `${member.name}, ${member.email}` : member.email })),
          ...(accounts.data ?? []).map((entry) => ({ value: entry.id, label: `${entry.name}, service account` })),
        ]}
      />
      <Choice label="Role" value={role} onChange={setRole} options={ROLES} help={roleMeans(role)} />
      <ScopeField value={project} onChange={setProject} />
    </FormDialog>
  );
}
