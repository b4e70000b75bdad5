import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { api } from '../../api/client';
import { asApiError } from '../../api/error';
import { useAccountIssuances, useGroups, useRefresh, useUsers } from '../../api/queries';
import { useRevocations } from '../../api/resources';
import { useDenied } from '../../frame/permissions';
import type { SigningKeyGroup, User } from '../../api/types';
import { plural } from '../../lib/format';
import { Button } from '../../ui/Button';
import { TabList } from '../../ui/Code';
import { DangerDialog } from '../../ui/DangerDialog';
import { ErrorPanel } from '../../ui/ErrorPanel';
import { PageHead } from '../../ui/Page';
import { CopyTerraform } from '../../ui/Terraform';
import { ShortKey } from '../../ui/ShortKey';
import { StateMark } from '../../ui/StateMark';
import { SubjectList } from '../../ui/SubjectChip';
import { Empty, Loading, Reconnecting } from '../../ui/states';
import { noteDone } from '../../ui/done-notes';
import { CreateDialog, type Issued } from './CreateDialog';
import { ReadyDialog } from './ReadyDialog';
import { RevocationsTab } from './RevocationsTab';
import { IssuanceTable, UsersTable } from './UsersTable';

const TABS = { Users: undefined, 'Signing-key groups': 'groups', Issuances: 'issuances', Revocations: 'revocations' } as const;
type TabName = keyof typeof TABS;

function GroupsTab({ groups }: { groups: readonly SigningKeyGroup[] }) {
  return (
    <table>
      <caption className="vh">Signing-key groups</caption>
      <thead>
        <tr>
          <th>Group</th>
          <th>May publish</th>
          <th className="from-desk">May subscribe</th>
          <th className="num from-desk">Users</th>
          <th className="from-desk from-1060">Signing key</th>
          <th>Broker</th>
          <th>
            <span className="vh">Terraform</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={group.id}>
            <td>
              <div className="two-lines">
                <span className="resource">{group.name}</span>
                {group.description ? <span className="tiny ink3">{group.description}</span> : null}
              </div>
            </td>
            <td>{group.template.publish?.allow?.length ? <SubjectList subjects={group.template.publish.allow} most={3} /> : <span className="ink2">everything</span>}</td>
            <td className="from-desk">{group.template.subscribe?.allow?.length ? <SubjectList subjects={group.template.subscribe.allow} most={3} /> : <span className="ink2">everything</span>}</td>
            <td className="num from-desk">{group.user_count}</td>
            <td className="ink2 from-desk from-1060">{group.public_key ? <ShortKey text={group.public_key} what={`signing key of ${group.name}`} /> : '–'}</td>
            <td>
              <StateMark state={group.sync.state === 'synced' ? 'steady' : group.sync.state === 'failed' ? 'fault' : 'work'}>
                {group.sync.state === 'synced' ? 'in sync' : group.sync.state === 'failed' ? 'not in sync' : 'syncing'}
              </StateMark>
            </td>
            <td className="num">
              <span className="line row-actions">
                <CopyTerraform kind="signing_key_group" object={group} what={`signing-key group ${group.name}`} size="compact" />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function CredentialsPage() {
  const { account } = useParams({ from: '/accounts/$account/credentials' });
  const search = useSearch({ from: '/accounts/$account/credentials' });
  const navigate = useNavigate();
  const refresh = useRefresh();
  const id = useId();
  const users = useUsers(account);
  const groups = useGroups(account);
  const tab = (Object.keys(TABS) as TabName[]).find((key) => TABS[key] === search.tab) ?? 'Users';
  const issuances = useAccountIssuances(account, tab === 'Issuances' || tab === 'Revocations');
  const revocations = useRevocations(account, tab === 'Revocations');
  const no = useDenied('credentials:write');
  const [creating, setCreating] = useState(false);
  const [forUser, setForUser] = useState<User | null>(null);
  const [issued, setIssued] = useState<Issued | null>(null);
  const [revoking, setRevoking] = useState<User | null>(null);

  // A link may ask for the dialog.
  const closeCreate = () => {
    setCreating(false);
    setForUser(null);
    if (search.create) void navigate({ to: '/accounts/$account/credentials', params: { account }, search: {}, replace: true });
  };

  const list = users.data?.data ?? [];
  const create = (
    <Button look="primary" blocked={no} onClick={() => setCreating(true)}>
      <IconPlus size={15} stroke={1.8} aria-hidden="true" />
      Create credential
    </Button>
  );
  return (
    <>
      <PageHead
        tab="Users and keys"
        title="Users and keys"
        facts={
          users.data && groups.data ? (
            <span>
              {plural(list.length, 'user')} in {plural(groups.data.length, 'signing-key group')}
            </span>
          ) : null
        }
        actions={create}
      />
      {users.error && users.data ? <Reconnecting query={{ ...users, error: asApiError(users.error) }} /> : null}
      <TabList
        id={id}
        label="Users and keys"
        names={Object.keys(TABS)}
        chosen={tab}
        counts={{ Users: users.data?.data.length, 'Signing-key groups': groups.data?.length }}
        onChoose={(next) =>
          void navigate({
            to: '/accounts/$account/credentials',
            params: { account },
            search: TABS[next as TabName] ? { tab: TABS[next as TabName] as 'groups' | 'issuances' | 'revocations' } : {},
            replace: true,
          })
        }
      />
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}`} style={{ marginTop: 12 }}>
        {tab === 'Users' ? (
          users.isPending ? (
            <Loading what="users" columns={['User', 'State', 'Ends']} />
          ) : users.error && !users.data ? (
            <ErrorPanel what="Users could not be read" error={asApiError(users.error)} safe="Clients with a valid credential are not affected." onRetry={() => void users.refetch()} />
          ) : list.length === 0 ? (
            <Empty title="No user yet">
              <p className="ink2">A client signs in as a user with a credential of its own. Without one, nothing connects to this account.</p>
              {create}
            </Empty>
          ) : (
            <UsersTable users={list} onIssue={setForUser} onRevoke={setRevoking} />
          )
        ) : null}
        {tab === 'Signing-key groups' ? (
          groups.isPending ? (
            <Loading what="signing-key groups" columns={['Group', 'May publish', 'Users']} rows={2} />
          ) : groups.data ? (
            <GroupsTab groups={groups.data} />
          ) : (
            <ErrorPanel what="Signing-key groups could not be read" error={asApiError(groups.error)} onRetry={() => void groups.refetch()} />
          )
        ) : null}
        {tab === 'Revocations' ? <RevocationsTab account={account} query={revocations} issuances={issuances.data ?? []} blocked={no} /> : null}
        {tab === 'Issuances' ? (
          issuances.isPending ? (
            <Loading what="issued credentials" columns={['User', 'Public key', 'State']} />
          ) : issuances.data ? (
            issuances.data.length ? (
              <IssuanceTable rows={issuances.data} withUser />
            ) : (
              <Empty title="Nothing issued yet" drawing={false}>
                <p className="ink2">Each credential that is issued is listed here, without its secret.</p>
              </Empty>
            )
          ) : (
            <ErrorPanel what="Issued credentials could not be read" error={asApiError(issuances.error)} onRetry={() => void issuances.refetch()} />
          )
        ) : null}
      </div>
      <CreateDialog
        opened={creating || search.create === true || forUser !== null}
        onClose={closeCreate}
        account={account}
        groups={groups.data ?? []}
        forUser={forUser}
        takenNames={list.map((user) => user.name)}
        onIssued={setIssued}
      />
      {issued ? (
        <ReadyDialog issued={issued} account={account} group={groups.data?.find((group) => group.id === issued.user.signing_key_group_id)} onDone={() => setIssued(null)} />
      ) : null}
      <DangerDialog
        opened={revoking !== null}
        onClose={() => setRevoking(null)}
        act="Revoke user"
        name={revoking?.name ?? ''}
        impact={[{ what: 'Credentials that stop working', figure: revoking?.issuance_count ?? 0 }]}
        consequence="Clients that use them are disconnected and refused from now on. Revoking has no undo; a new user gets a new credential."
        onConfirm={async () => {
          if (!revoking) return;
          await api.POST('/v1/users/{user}/actions/revoke', { params: { path: { user: revoking.id } }, body: {} });
          await refresh('users', 'issuances', 'user-issuances');
          noteDone(`User ${revoking.name} revoked.`);
        }}
      />
    </>
  );
}
