import type { UseQueryResult } from '@tanstack/react-query';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/client';
import { useRefresh } from '../../api/queries';
import type { Issuance, Revocation } from '../../api/types';
import { exactTime, fromNow } from '../../lib/format';
import { timeProblem } from '../../lib/amount';
import { looksLikeSeed, userKeyProblem } from '../../lib/nkey';
import { usePrefs } from '../../lib/prefs';
import { useCall } from '../../lib/use-call';
import { useNow } from '../../lib/use-now';
import { Button } from '../../ui/Button';
import { DangerDialog } from '../../ui/DangerDialog';
import { Choice } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { PlainField } from '../../ui/FormFields';
import { Listing } from '../../ui/Listing';
import { ShortKey } from '../../ui/ShortKey';
import { CopyTerraform } from '../../ui/Terraform';
import { Exact } from '../../ui/Tip';
import { Empty } from '../../ui/states';
import { noteDone } from '../../ui/done-notes';

interface Props {
  account: string;
  query: UseQueryResult<Revocation[]>;
  issuances: readonly Issuance[];
  blocked: string | null;
}

/** Keys whose JWTs the broker refuses, and from when on. */
export function RevocationsTab({ account, query, issuances, blocked }: Props) {
  const { zone } = usePrefs();
  const now = useNow(10_000);
  const refresh = useRefresh();
  const [adding, setAdding] = useState(false);
  const [taking, setTaking] = useState<Revocation | null>(null);
  const userOf = (key: string) => (key === '*' ? 'all users' : issuances.find((issuance) => issuance.user_public_key === key)?.user_name);
  const add = (
    <Button blocked={blocked} onClick={() => setAdding(true)}>
      <IconPlus size={15} stroke={1.8} aria-hidden="true" />
      Revoke key
    </Button>
  );
  return (
    <>
      <Listing
        query={query}
        what="revocations"
        columns={['Key', 'Issued until', 'Needed until']}
        empty={
          <Empty title="No revocation in force" drawing={false}>
            <p className="ink2">A revocation voids every JWT of a key that was issued until a time. Revoking a user, above, makes them for all its keys.</p>
            {add}
          </Empty>
        }
      >
        {(rows) => (
          <>
            <div className="toolbar">
              <span className="small ink3">JWTs of these keys are void when they were issued until the time beside them.</span>
              <span className="to-end">{add}</span>
            </div>
            <table>
              <caption className="vh">Revocations in force</caption>
              <thead>
                <tr>
                  <th>Key</th>
                  <th className="from-desk">User</th>
                  <th className="num">Issued until</th>
                  <th className="num from-desk">Needed until</th>
                  <th className="from-desk from-1060">Why</th>
                  <th>
                    <span className="vh">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <tr key={row.public_key}>
                    <td>{row.public_key === '*' ? 'every key' : <ShortKey text={row.public_key} what="public key" />}</td>
                    <td className="ink2 from-desk">{userOf(row.public_key) ?? <span className="ink3">–</span>}</td>
                    <td className="num ink2">
                      <Exact value={fromNow(row.before, now)} exact={exactTime(row.before, zone)} />
                    </td>
                    <td className="num ink2 from-desk">{row.valid_until ? <Exact value={fromNow(row.valid_until, now)} exact={exactTime(row.valid_until, zone)} /> : <span className="ink3">no longer</span>}</td>
                    <td className="ink2 from-desk from-1060">{row.reason || <span className="ink3">–</span>}</td>
                    <td className="num">
                      <span className="line row-actions">
                        <CopyTerraform kind="user_revocation" object={row} what={`revocation of ${row.public_key === '*' ? 'every key' : row.public_key.slice(0, 9)}`} size="compact" />
                        <Button
                          size="compact"
                          look="danger"
                          aria-label={`Lift revocation of ${row.public_key.slice(0, 9)}`}
                          blocked={blocked ?? (row.valid_until && Date.parse(row.valid_until) > now ? `A JWT would be good again until ${exactTime(row.valid_until, zone)}.` : null)}
                          onClick={() => setTaking(row)}
                        >
                          Lift
                        </Button>
                      </span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </>
        )}
      </Listing>
      {adding ? <RevokeDialog account={account} onClose={() => setAdding(false)} /> : null}
      <DangerDialog
        opened={taking !== null}
        onClose={() => setTaking(null)}
        act="Lift revocation"
        name={taking ? (taking.public_key === '*' ? 'every key' : taking.public_key.slice(0, 9)) : ''}
        impact={[]}
        consequence="No JWT is known that would be good again."
        onConfirm={async () => {
          if (!taking) return;
          await api.DELETE('/v1/accounts/{account}/revocations/{nkey}', { params: { path: { account, nkey: taking.public_key } } });
          await refresh('revocations');
          noteDone('Revocation lifted.');
        }}
      />
    </>
  );
}

function RevokeDialog({ account, onClose }: { account: string; onClose: () => void }) {
  const refresh = useRefresh();
  const call = useCall();
  const [which, setWhich] = useState<'one' | 'all'>('one');
  const [key, setKey] = useState('');
  const [before, setBefore] = useState('');
  const [reason, setReason] = useState('');
  const [seed, setSeed] = useState(false);
  const wrongKey = which === 'one' ? userKeyProblem(key) : null;
  const wrongTime = timeProblem(before);
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Revoke key"
      lead="Clients that use it are disconnected at once. While a JWT of the key lives, it cannot be lifted."
      act="Revoke key"
      danger
      blocked={wrongKey ?? wrongTime ?? null}
      call={call}
      onSubmit={async () => {
        const body = { public_key: which === 'all' ? '*' : key.trim(), ...(before ? { before: new Date(before).toISOString() } : {}), ...(reason ? { reason } : {}) };
        const done = await call.run(async (idempotency) => {
          await api.POST('/v1/accounts/{account}/revocations', { params: { path: { account }, header: { 'Idempotency-Key': idempotency } }, body });
          await refresh('revocations', 'issuances', 'user-issuances', 'users');
        }, body);
        if (!done) return;
        noteDone(which === 'all' ? 'All keys revoked.' : 'Key revoked.');
        onClose();
      }}
    >
      <Choice
        label="Which"
        value={which}
        onChange={setWhich}
        options={[
          { value: 'one', label: 'One key' },
          { value: 'all', label: 'Every key of the account' },
        ]}
        help={which === 'all' ? 'Every client of the account is disconnected and needs a new credential.' : undefined}
      />
      {which === 'one' ? (
        <PlainField
          label="Public user nkey"
          mono
          value={key}
          onChange={(value) => {
            // A seed does not stay in the field, nor anywhere else.
            const found = looksLikeSeed(value) && value.trim().length > 20;
            setSeed(found);
            setKey(found ? '' : value);
          }}
          error={seed ? 'That was a seed, so it was not taken. Paste the public key, which starts with U.' : key ? wrongKey : null}
          placeholder="U…"
        />
      ) : null}
      <PlainField label="Issued until" mono optional value={before} onChange={setBefore} error={wrongTime} placeholder="now" help="JWTs issued later stay good." />
      <PlainField label="Why" optional value={reason} onChange={setReason} help="Kept with the revocation and in the audit log." />
    </FormDialog>
  );
}
