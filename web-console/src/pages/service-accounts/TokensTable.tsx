import { useState } from 'react';
import { api, body } from '../../api/client';
import { useRefresh } from '../../api/queries';
import type { ApiToken, ApiTokenResult } from '../../api/types';
import { type FormUnit, formToMs, toDuration } from '../../lib/duration';
import { exactTime, fromNow } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { lifeProblem, scopeWords } from '../../lib/scopes';
import { useCall } from '../../lib/use-call';
import { useNow } from '../../lib/use-now';
import { Button } from '../../ui/Button';
import { DangerDialog } from '../../ui/DangerDialog';
import { FormDialog } from '../../ui/FormDialog';
import { StateMark, type State } from '../../ui/StateMark';
import { CopyTerraform } from '../../ui/Terraform';
import { Exact } from '../../ui/Tip';
import { noteDone } from '../../ui/done-notes';
import { LifeField } from './TokenDialog';

const DAY = 86_400_000;

function tokenState(token: ApiToken, now: number): [State, string] {
  if (token.state === 'revoked') return ['held', 'revoked'];
  if (token.state === 'disabled') return ['held', 'disabled'];
  if (token.state === 'expired') return ['fault', 'ended'];
  if (Date.parse(token.expires_at) - now < 7 * DAY) return ['watch', 'ends soon'];
  return ['steady', 'active'];
}

interface Props {
  tokens: readonly ApiToken[];
  caption: string;
  withOwner?: boolean;
  blocked: string | null;
  onRotated: (result: ApiTokenResult) => void;
}

/** Own tokens are called by another path than those of a service account. */
const own = (token: ApiToken) => token.kind === 'personal';

export function TokensTable({ tokens, caption, withOwner, blocked, onRotated }: Props) {
  const { zone } = usePrefs();
  const now = useNow(5_000);
  const refresh = useRefresh();
  const [rotating, setRotating] = useState<ApiToken | null>(null);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  const reread = () => refresh('tokens', 'my-tokens', 'org-tokens', 'service-accounts');
  return (
    <>
      <table>
        <caption className="vh">{caption}</caption>
        <thead>
          <tr>
            <th>Token</th>
            {withOwner ? <th className="from-desk">Of</th> : null}
            <th>State</th>
            <th className="from-desk">May</th>
            <th className="from-desk from-1060">From</th>
            <th className="num from-desk">Ends</th>
            <th className="num from-desk">Last used</th>
            <th>
              <span className="vh">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => {
            const [state, word] = tokenState(token, now);
            const dead = token.state === 'revoked';
            return (
              <tr key={token.id}>
                <td>
                  <div className="two-lines">
                    <span className="resource">{token.name}</span>
                    <span className="tiny ink3 mono">{token.prefix}…</span>
                  </div>
                </td>
                {withOwner ? <td className="break from-desk">{token.owner.name}</td> : null}
                <td>
                  <StateMark state={state}>{word}</StateMark>
                  {token.previous_valid_until && Date.parse(token.previous_valid_until) > now ? <div className="tiny ink3">old secret until {fromNow(token.previous_valid_until, now)}</div> : null}
                </td>
                <td className="ink2 from-desk">
                  <Exact value={scopeWords(token.scopes)} exact={token.scopes.join(', ')} />
                  {token.project_ids.length ? <span className="ink3">, {token.project_ids.length === 1 ? 'one project' : `${token.project_ids.length} projects`}</span> : null}
                </td>
                <td className="ink2 from-desk from-1060">{token.cidrs.length ? <span className="mono">{token.cidrs.join(', ')}</span> : <span className="ink3">anywhere</span>}</td>
                <td className="num ink2 from-desk">
                  <Exact value={fromNow(token.expires_at, now)} exact={exactTime(token.expires_at, zone)} />
                </td>
                <td className="num from-desk">
                  {token.last_used_at ? <Exact value={fromNow(token.last_used_at, now)} exact={`${exactTime(token.last_used_at, zone)}${token.last_used_ip ? `, from ${token.last_used_ip}` : ''}`} /> : <span className="ink3">never</span>}
                </td>
                <td className="num">
                  <span className="line row-actions">
                    {own(token) ? null : <CopyTerraform kind="api_token" object={token} what={`token ${token.name}`} size="compact" />}
                    <Button size="compact" aria-label={`Rotate ${token.name}`} blocked={blocked ?? (dead ? 'Revoked: make a new one.' : null)} onClick={() => setRotating(token)}>
                      Rotate
                    </Button>
                    <Button size="compact" look="danger" aria-label={`Revoke ${token.name}`} blocked={blocked ?? (dead ? 'Revoked already.' : null)} onClick={() => setRevoking(token)}>
                      Revoke
                    </Button>
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {rotating ? (
        <RotateDialog
          token={rotating}
          onClose={() => setRotating(null)}
          onDone={(result) => {
            setRotating(null);
            onRotated(result);
          }}
        />
      ) : null}
      <DangerDialog
        opened={revoking !== null}
        onClose={() => setRevoking(null)}
        act="Revoke token"
        name={revoking?.name ?? ''}
        impact={[{ what: 'Last used', figure: revoking?.last_used_at ? fromNow(revoking.last_used_at, now) : 'never', more: revoking?.last_used_ip ?? '' }]}
        consequence="Calls with it are refused from now on. Revoking has no undo."
        onConfirm={async () => {
          if (!revoking) return;
          const params = { path: { token: revoking.id }, header: { 'If-Match': revoking.etag } };
          if (own(revoking)) await api.DELETE('/v1/me/tokens/{token}', { params });
          else await api.DELETE('/v1/tokens/{token}', { params });
          await reread();
          noteDone(`Token ${revoking.name} revoked.`);
        }}
      />
    </>
  );
}

function RotateDialog({ token, onClose, onDone }: { token: ApiToken; onClose: () => void; onDone: (result: ApiTokenResult) => void }) {
  const refresh = useRefresh();
  const call = useCall();
  const [overlap, setOverlap] = useState('24');
  const [unit, setUnit] = useState<FormUnit>('hours');
  const none = overlap.trim() === '' || Number(overlap) === 0;
  const wrong = none ? null : lifeProblem(overlap, unit, 3);
  return (
    <FormDialog
      opened
      onClose={onClose}
      title={
        <>
          Rotate token <span className="mono">{token.name}</span>
        </>
      }
      lead="It gets a new secret, shown once. Name, rights and lifetime stay."
      act="Rotate token"
      blocked={wrong}
      call={call}
      onSubmit={async () => {
        const request = none ? {} : { overlap: toDuration(formToMs(Number(overlap), unit)) };
        let result: ApiTokenResult | null = null;
        const done = await call.run(async (key) => {
          const params = { path: { token: token.id }, header: { 'Idempotency-Key': key } };
          result = own(token)
            ? body(await api.POST('/v1/me/tokens/{token}/actions/rotate', { params, body: request }))
            : body(await api.POST('/v1/tokens/{token}/actions/rotate', { params, body: request }));
          await refresh('tokens', 'my-tokens', 'org-tokens');
        }, request);
        if (done && result) onDone(result);
      }}
    >
      <LifeField label="Old secret works for" life={overlap} unit={unit} error={wrong} onLife={setOverlap} onUnit={setUnit} help={none ? 'Not at all: whoever uses the old one is refused at once.' : 'Beside the new one; 72 hours at most, 0 for not at all.'} />
    </FormDialog>
  );
}
