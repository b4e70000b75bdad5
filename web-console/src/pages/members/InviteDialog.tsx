import { useState } from 'react';
import { api } from '../../api/client';
import { useRefresh } from '../../api/queries';
import { useProjects } from '../../api/resources';
import type { Member, Role } from '../../api/types';
import { useHere } from '../../frame/here';
import { emailProblem, roleMeans, ROLES } from '../../lib/roles';
import { useCall } from '../../lib/use-call';
import { Choice } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { PlainField, SelectField } from '../../ui/FormFields';
import { noteDone } from '../../ui/done-notes';

/** The whole organisation, or one of its projects. */
export function ScopeField({ value, onChange, help }: { value: string; onChange: (value: string) => void; help?: string }) {
  const { org } = useHere();
  const projects = useProjects(org.id);
  return (
    <SelectField
      label="Where"
      value={value}
      onChange={onChange}
      help={help}
      options={[{ value: '', label: `All of ${org.name}` }, ...(projects.data ?? []).map((project) => ({ value: project.id, label: `Project ${project.name}` }))]}
    />
  );
}

export function InviteDialog({ opened, onClose, members }: { opened: boolean; onClose: () => void; members: readonly Member[] }) {
  const { org } = useHere();
  const refresh = useRefresh();
  const call = useCall();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('developer');
  const [project, setProject] = useState('');
  const address = email.trim().toLowerCase();
  const member = members.some((entry) => entry.email.toLowerCase() === address);
  const wrong = emailProblem(email) ?? (member ? `${email.trim()} is a member already.` : null);
  const reasons = call.error?.fieldReasons ?? {};

  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title="Invite member"
      lead="A mail with a link that is good for 7 days. Only the owner of the address can accept."
      act="Invite member"
      blocked={wrong}
      call={call}
      onSubmit={async () => {
        const body = { email: email.trim(), role, ...(project ? { project_id: project } : {}) };
        const done = await call.run(async (key) => {
          await api.POST('/v1/orgs/{org}/invitations', { params: { path: { org: org.id }, header: { 'Idempotency-Key': key } }, body });
          await refresh('invitations');
        }, body);
        if (!done) return;
        noteDone(`Invitation sent to ${email.trim()}.`);
        setEmail('');
        onClose();
      }}
    >
      <PlainField label="E-mail address" type="email" value={email} onChange={setEmail} error={reasons.email ?? (email ? wrong : null)} placeholder="ruben@example.com" autoFocus />
      <Choice label="Role" value={role} onChange={setRole} options={ROLES} help={roleMeans(role)} />
      <ScopeField value={project} onChange={setProject} />
    </FormDialog>
  );
}
