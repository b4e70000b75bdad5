import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useInvitations, useMembers, useRoleAssignments } from '../../api/resources';
import { useDenied } from '../../frame/permissions';
import { useHere } from '../../frame/here';
import { plural } from '../../lib/format';
import { Button } from '../../ui/Button';
import { PageHead } from '../../ui/Page';
import { PageTabs } from '../../ui/Tabs';
import { AssignmentsTab } from './AssignmentsTab';
import { InvitationsTab } from './InvitationsTab';
import { InviteDialog } from './InviteDialog';
import { MembersTable } from './MembersTable';

export function MembersPage() {
  const { account } = useParams({ from: '/accounts/$account/members' });
  const { tab } = useSearch({ from: '/accounts/$account/members' });
  const { org } = useHere();
  const navigate = useNavigate();
  const members = useMembers(org.id);
  const invitations = useInvitations(org.id);
  const assignments = useRoleAssignments(org.id, tab === 'roles');
  const [inviting, setInviting] = useState(false);
  const no = useDenied('members:write');
  const pending = (invitations.data ?? []).filter((entry) => entry.state === 'pending').length;

  return (
    <>
      <PageHead
        tab="Members"
        title="Members"
        facts={
          <>
            <span>People of {org.name}, in all its projects and accounts.</span>
            {members.data ? <span>{plural(members.data.length, 'member')}</span> : null}
          </>
        }
        actions={
          <Button look="primary" blocked={no} onClick={() => setInviting(true)}>
            <IconPlus size={15} stroke={1.8} aria-hidden="true" />
            Invite member
          </Button>
        }
      />
      <PageTabs
        label="Members"
        tabs={{ Members: undefined, Invitations: 'invitations', Roles: 'roles' }}
        chosen={tab}
        counts={{ Members: members.data?.length, Invitations: pending || undefined }}
        onChoose={(value) => void navigate({ to: '/accounts/$account/members', params: { account }, search: value ? { tab: value as 'invitations' | 'roles' } : {}, replace: true })}
      >
        {(name) =>
          name === 'Members' ? (
            <MembersTable query={members} blocked={no} />
          ) : name === 'Invitations' ? (
            <InvitationsTab query={invitations} blocked={no} onInvite={() => setInviting(true)} />
          ) : (
            <AssignmentsTab query={assignments} members={members.data ?? []} blocked={no} />
          )
        }
      </PageTabs>
      <InviteDialog opened={inviting} onClose={() => setInviting(false)} members={members.data ?? []} />
    </>
  );
}
