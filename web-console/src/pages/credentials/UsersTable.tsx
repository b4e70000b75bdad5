import { Fragment, useState } from 'react';
import { asApiError } from '../../api/error';
import { useUserIssuances } from '../../api/queries';
import type { Issuance, User } from '../../api/types';
import { dateTime, exactTime, fromNow } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { useNow } from '../../lib/use-now';
import { Button } from '../../ui/Button';
import { ErrorPanel } from '../../ui/ErrorPanel';
import { RowButton } from '../../ui/RowButton';
import { CopyTerraform } from '../../ui/Terraform';
import { ShortKey } from '../../ui/ShortKey';
import { StateMark, type State } from '../../ui/StateMark';
import { Exact } from '../../ui/Tip';
import { Loading } from '../../ui/states';
import { useTableKeys } from '../../ui/use-table-keys';

const DAY = 86_400_000;

function userState(user: User, now: number): [State, string] {
  if (user.state === 'revoked') return ['held', 'revoked'];
  if (user.issuance_count === 0) return ['stale', 'nothing issued'];
  if (user.expires_at && Date.parse(user.expires_at) <= now) return ['fault', 'ended'];
  if (user.expires_at && Date.parse(user.expires_at) - now < 7 * DAY) return ['watch', 'ends soon'];
  return ['steady', 'active'];
}

const ISSUANCE_STATE: Record<string, [State, string]> = {
  pending: ['work', 'being issued'],
  active: ['steady', 'active'],
  expired: ['held', 'ended'],
  revoked: ['held', 'revoked'],
  failed: ['fault', 'not issued'],
};

export function IssuanceTable({ rows, withUser }: { rows: readonly Issuance[]; withUser?: boolean }) {
  const { zone } = usePrefs();
  const now = useNow(5_000);
  return (
    <table>
      <caption className="vh">Issued credentials</caption>
      <thead>
        <tr>
          {withUser ? <th>User</th> : null}
          <th>Public key</th>
          <th>State</th>
          <th className="num from-desk">Issued</th>
          <th className="num">Ends</th>
          <th className="num from-desk">First connected</th>
          <th className="num from-desk from-1060">Last connected</th>
          <th>
            <span className="vh">Terraform</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((issuance) => {
          const [state, word] = ISSUANCE_STATE[issuance.state] ?? ['stale', issuance.state];
          return (
            <tr key={issuance.id}>
              {withUser ? <td className="mono">{issuance.user_name}</td> : null}
              <td>{issuance.user_public_key ? <ShortKey text={issuance.user_public_key} what="public key" /> : '–'}</td>
              <td>
                <StateMark state={state}>{word}</StateMark>
              </td>
              <td className="num ink2 from-desk">
                <Exact value={fromNow(issuance.issued_at, now)} exact={exactTime(issuance.issued_at, zone)} />
              </td>
              <td className="num ink2">{issuance.expires_at ? <Exact value={fromNow(issuance.expires_at, now)} exact={dateTime(issuance.expires_at, zone)} /> : 'never'}</td>
              <td className="num ink2 from-desk">{issuance.first_connected_at ? fromNow(issuance.first_connected_at, now) : <span className="ink3">not yet</span>}</td>
              <td className="num ink2 from-desk from-1060">{issuance.last_connected_at ? fromNow(issuance.last_connected_at, now) : <span className="ink3">–</span>}</td>
              <td className="num">
                <span className="line row-actions">
                  <CopyTerraform kind="credential" object={issuance} what={`credential ${issuance.user_public_key?.slice(0, 9) ?? issuance.id}`} size="compact" />
                </span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function UserDetail({ user, onIssue, onRevoke }: { user: User; onIssue: () => void; onRevoke: () => void }) {
  const query = useUserIssuances(user.id, true);
  return (
    <div className="stack" style={{ padding: '10px 0 14px 18px' }}>
      {query.isPending ? <Loading what={`what was issued to ${user.name}`} columns={['Public key', 'State', 'Ends']} rows={1} /> : null}
      {query.error && !query.data ? <ErrorPanel what="Issued credentials could not be read" error={asApiError(query.error)} onRetry={() => void query.refetch()} /> : null}
      {query.data ? <IssuanceTable rows={query.data} /> : null}
      <div className="line wrap">
        <Button size="compact" onClick={onIssue} blocked={user.state === 'revoked' ? 'A revoked user gets no new credential. Create another user.' : null}>
          Issue another credential
        </Button>
        <CopyTerraform kind="user" object={user} what={`user ${user.name}`} size="compact" />
        <Button size="compact" look="danger" onClick={onRevoke} blocked={user.state === 'revoked' ? 'Revoked already.' : null}>
          Revoke user
        </Button>
      </div>
    </div>
  );
}

interface Props {
  users: readonly User[];
  onIssue: (user: User) => void;
  onRevoke: (user: User) => void;
}

const idOf = (user: User) => user.id;

export function UsersTable({ users, onIssue, onRevoke }: Props) {
  const { zone } = usePrefs();
  const now = useNow(5_000);
  const [opened, setOpened] = useState<string | null>(null);
  const toggle = (user: User) => setOpened((before) => (before === user.id ? null : user.id));
  const active = useTableKeys({ rows: users, id: idOf, onOpen: toggle, copy: (user) => user.name });
  return (
    <table className="pick">
      <caption className="vh">Users</caption>
      <thead>
        <tr>
          <th>User</th>
          <th className="from-desk">Group</th>
          <th>State</th>
          <th className="num from-desk">Issued</th>
          <th className="num">Ends</th>
          <th className="num from-desk">Last connected</th>
        </tr>
      </thead>
      <tbody>
        {users.map((user) => {
          const [state, word] = userState(user, now);
          const open = opened === user.id;
          return (
            <Fragment key={user.id}>
              <tr id={`row-${user.id}`} className={active === user.id ? 'at-keys' : undefined} onClick={() => toggle(user)}>
                <td>
                  <RowButton opened={open} onToggle={() => toggle(user)}>
                    {user.name}
                  </RowButton>
                </td>
                <td className="mono ink2 from-desk">{user.signing_key_group_name}</td>
                <td>
                  <StateMark state={state}>{word}</StateMark>
                </td>
                <td className="num ink2 from-desk">
                  {user.issuance_count === 0 ? (
                    <span className="ink3">nothing</span>
                  ) : (
                    <>
                      {user.last_issued_at ? fromNow(user.last_issued_at, now) : '–'}
                      {user.issuance_count > 1 ? <span className="ink3">, {user.issuance_count} in all</span> : null}
                    </>
                  )}
                </td>
                <td className="num ink2">{user.expires_at ? <Exact value={fromNow(user.expires_at, now)} exact={dateTime(user.expires_at, zone)} /> : '–'}</td>
                <td className="num from-desk">
                  {user.last_connected_at ? <Exact value={fromNow(user.last_connected_at, now)} exact={exactTime(user.last_connected_at, zone)} /> : <span className="ink3">not yet</span>}
                </td>
              </tr>
              {open ? (
                <tr className="detail-row">
                  <td colSpan={6}>
                    <UserDetail user={user} onIssue={() => onIssue(user)} onRevoke={() => onRevoke(user)} />
                  </td>
                </tr>
              ) : null}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}
