import { useQuery } from '../../api/use-query';
import { useState } from 'react';
import { api, dryBody } from '../../api/client';
import { asApiError } from '../../api/error';
import { useRefresh } from '../../api/queries';
import type { Account, DryRun } from '../../api/types';
import { bytes, count, share } from '../../lib/format';
import { LIMIT_UNITS, type LimitField, type LimitForm, limitOf, limitProblem, LIMITS, limitsPatch, toLimitForm, usedOf } from '../../lib/limits-model';
import { useCall } from '../../lib/use-call';
import { useDebounced } from '../../lib/use-debounced';
import { Button } from '../../ui/Button';
import { FormDialog } from '../../ui/FormDialog';
import { LevelTube } from '../../ui/LevelTube';
import { Section } from '../../ui/Page';
import { StateMark } from '../../ui/StateMark';
import { Exact } from '../../ui/Tip';
import { noteDone } from '../../ui/done-notes';
import { AmountField } from '../streams/AmountField';

export function LimitsSection({ account, blocked }: { account: Account; blocked: string | null }) {
  const [editing, setEditing] = useState(false);
  const tiers = account.limits.jetstream === null;
  const show = (value: number, size: boolean) => (value < 0 ? 'no limit' : size ? bytes(value) : count(value));
  return (
    <Section
      title="Limits"
      aside={tiers ? 'JetStream has limits by number of replicas; the sums are shown' : null}
      end={
        <Button size="compact" blocked={blocked ?? (tiers ? 'Limits by number of replicas are changed with Terraform or the API.' : null)} onClick={() => setEditing(true)}>
          Change limits
        </Button>
      }
    >
      <table style={{ maxWidth: 900 }}>
        <caption className="vh">Limits of {account.name}</caption>
        <thead>
          <tr>
            <th>Limit</th>
            <th className="num">Used</th>
            <th className="num">Of</th>
            <th className="from-desk" style={{ width: 120 }}>
              <span className="vh">Share used</span>
            </th>
            <th className="from-desk">At the limit</th>
          </tr>
        </thead>
        <tbody>
          {LIMITS.map((row) => {
            const most = limitOf(account, row.field);
            const used = usedOf(account, row.field);
            const percent = used !== null && most > 0 ? share(used, most) : null;
            return (
              <tr key={row.field}>
                <td>{row.name}</td>
                <td className={used ? 'num' : 'num ink3'}>{used === null ? <Exact value="–" exact="the broker does not count it for an account" /> : show(used, row.size)}</td>
                <td className={most < 0 ? 'num ink3' : 'num'}>{show(most, row.size)}</td>
                <td className="from-desk">{percent === null ? null : <LevelTube thin percent={percent} tone={percent >= 80 ? 'watch' : 'water'} />}</td>
                <td className="ink3 from-desk">{most < 0 ? '' : row.effect}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {editing ? <LimitsDialog account={account} onClose={() => setEditing(false)} /> : null}
    </Section>
  );
}

function LimitsDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const refresh = useRefresh();
  const call = useCall();
  const [forms, setForms] = useState<Record<LimitField, LimitForm>>(() => Object.fromEntries(LIMITS.map((row) => [row.field, toLimitForm(limitOf(account, row.field), row.size)])) as Record<LimitField, LimitForm>);
  const wrong = LIMITS.some((row) => limitProblem(forms[row.field], row));
  const patch = limitsPatch(account, forms);
  const now = JSON.stringify(patch);
  const text = useDebounced(now, 500);
  const changed = Object.keys(patch).length > 0;
  const options = { params: { path: { account: account.id }, header: { 'If-Match': account.etag } }, headers: { 'Content-Type': 'application/merge-patch+json' } };
  const dry = useQuery({
    queryKey: ['dry-run', account.id, text],
    enabled: changed && !wrong && text === now,
    retry: false,
    queryFn: async () => dryBody(await api.PATCH('/v1/accounts/{account}', { ...options, params: { ...options.params, query: { dry_run: true } }, body: JSON.parse(text) as typeof patch })) as DryRun,
  });
  // What was refused is what was asked: a newer value has not been asked about yet.
  const refused = dry.error && text === now ? asApiError(dry.error) : null;
  return (
    <FormDialog
      opened
      onClose={onClose}
      title="Change limits"
      lead="Empty is no limit. A limit below what is in use is refused."
      act="Change limits"
      blocked={wrong ? 'A limit needs mending.' : changed ? (refused?.message ?? null) : 'Nothing is changed yet.'}
      call={call}
      onSubmit={async () => {
        const done = await call.run(async () => {
          await api.PATCH('/v1/accounts/{account}', { ...options, body: patch });
          await refresh('account');
        }, patch);
        if (!done) return;
        noteDone('Limits changed.');
        onClose();
      }}
    >
      <div className="pair">
        {LIMITS.map((row) => {
          const form = forms[row.field];
          const set = (next: Partial<LimitForm>) => setForms((before) => ({ ...before, [row.field]: { ...before[row.field], ...next } }));
          return (
            <AmountField
              key={row.field}
              label={row.name}
              value={form.text}
              onChange={(value) => set({ text: value })}
              onBlur={() => undefined}
              error={limitProblem(form, row)}
              unit={row.size ? { value: form.unit, options: LIMIT_UNITS, onChange: (unit) => set({ unit }) } : undefined}
            />
          );
        })}
      </div>
      {refused ? (
        <StateMark state="fault" size={14}>
          <span style={{ whiteSpace: 'normal' }}>{refused.message}</span>
        </StateMark>
      ) : null}
      {dry.data?.warnings.map((warning) => (
        <p key={warning} className="small ink2">
          {warning}
        </p>
      ))}
    </FormDialog>
  );
}
