import { useState } from 'react';
import { api, body } from '../../api/client';
import { useRefresh } from '../../api/queries';
import { useProjects } from '../../api/resources';
import type { ApiTokenResult, TokenScope } from '../../api/types';
import { useHere } from '../../frame/here';
import { type FormUnit } from '../../lib/duration';
import { EMPTY_TOKEN, SCOPE_ROWS, type TokenForm, tokenErrors, toToken } from '../../lib/scopes';
import { useCall } from '../../lib/use-call';
import { Choice, Field } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { CheckField, PlainField } from '../../ui/FormFields';
import { SubjectInput } from '../streams/SubjectInput';

interface Props {
  /** The service account it belongs to; null for a personal token. */
  owner: { id: string; name: string } | null;
  taken: readonly string[];
  onClose: () => void;
  onMade: (result: ApiTokenResult) => void;
}

const has = (list: readonly TokenScope[], scope: TokenScope) => list.includes(scope);

function ScopeGrid({ scopes, onChange }: { scopes: readonly TokenScope[]; onChange: (scopes: TokenScope[]) => void }) {
  const toggle = (scope: TokenScope, on: boolean) => onChange(on ? [...scopes, scope] : scopes.filter((other) => other !== scope));
  return (
    <table className="scopes">
      <caption className="vh">Rights of the token</caption>
      <thead>
        <tr>
          <th>Of</th>
          <th>Read</th>
          <th>Write</th>
        </tr>
      </thead>
      <tbody>
        {SCOPE_ROWS.map((row) => (
          <tr key={row.what}>
            <td>{row.what}</td>
            {(['read', 'write'] as const).map((kind) => {
              const scope = row[kind];
              return (
                <td key={kind}>
                  {scope ? (
                    <label className="check">
                      <input type="checkbox" checked={has(scopes, scope)} onChange={(event) => toggle(scope, event.target.checked)} />
                      <span className="vh">
                        {row.what}, {kind}
                      </span>
                    </label>
                  ) : (
                    <span className="ink3" aria-label="none">
                      –
                    </span>
                  )}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Makes a token of a service account, or one's own. The secret goes to the caller once and is kept nowhere. */
export function TokenDialog({ owner, taken, onClose, onMade }: Props) {
  const { org } = useHere();
  const refresh = useRefresh();
  const projects = useProjects(org.id);
  const call = useCall();
  const [form, setForm] = useState<TokenForm>(EMPTY_TOKEN);
  const [tried, setTried] = useState(false);
  const errors = tokenErrors(form, taken);
  const reasons = call.error?.fieldReasons ?? {};
  const set = <K extends keyof TokenForm>(field: K, value: TokenForm[K]) => setForm((before) => ({ ...before, [field]: value }));

  const submit = async () => {
    setTried(true);
    if (Object.keys(errors).length) return;
    const made = toToken(form);
    let result: ApiTokenResult | null = null;
    const done = await call.run(async (key) => {
      const header = { 'Idempotency-Key': key };
      result = owner
        ? body(await api.POST('/v1/service-accounts/{service_account}/tokens', { params: { path: { service_account: owner.id }, header }, body: made }))
        : body(await api.POST('/v1/me/tokens', { params: { header }, body: { organization_id: org.id, ...made } }));
      await refresh('tokens', 'my-tokens', 'org-tokens', 'service-accounts');
    }, made);
    if (done && result) onMade(result);
  };

  return (
    <FormDialog
      opened
      onClose={onClose}
      title={
        owner ? (
          <>
            Create token of <span className="mono">{owner.name}</span>
          </>
        ) : (
          'Create personal token'
        )
      }
      lead={owner ? 'It may do what the service account may, cut down to what you tick.' : 'It may do what you may, cut down to what you tick. For a pipeline, take a service account instead.'}
      act="Create token"
      call={call}
      onSubmit={submit}
    >
      <PlainField label="Name" mono value={form.name} onChange={(value) => set('name', value)} error={reasons.name ?? (tried || form.name ? errors.name : null)} placeholder="deploy" autoFocus />
      <Choice
        label="May"
        value={form.breadth}
        onChange={(value) => set('breadth', value)}
        options={[
          { value: 'chosen', label: 'What I tick' },
          { value: 'read', label: 'Read all but payloads' },
          { value: 'all', label: 'Everything its owner may' },
        ]}
      />
      {form.breadth === 'chosen' ? (
        <div>
          <ScopeGrid scopes={form.scopes} onChange={(scopes) => set('scopes', scopes)} />
          {tried && errors.scopes ? <p className="error-line">{errors.scopes}</p> : null}
        </div>
      ) : null}
      {(projects.data ?? []).length > 1 ? (
        <fieldset className="plain-set">
          <legend className="field-label">Only in projects</legend>
          <span className="help tiny ink3">None ticked: no limit.</span>
          {(projects.data ?? []).map((project) => (
            <CheckField
              key={project.id}
              checked={form.projects.includes(project.id)}
              onChange={(on) => set('projects', on ? [...form.projects, project.id] : form.projects.filter((other) => other !== project.id))}
              text={<span className="mono">{project.name}</span>}
            />
          ))}
        </fieldset>
      ) : null}
      <Field label="Only from addresses" optional error={reasons.cidrs ?? errors.cidrs} help="Enter or comma adds a range such as 203.0.113.0/24. Empty: from anywhere.">
        {(id, described) => <SubjectInput id={id} describedBy={described} subjects={form.cidrs} wrong={Boolean(errors.cidrs)} placeholder="203.0.113.0/24" onChange={(cidrs) => set('cidrs', cidrs)} />}
      </Field>
      <LifeField life={form.life} unit={form.lifeUnit} error={errors.life} onLife={(value) => set('life', value)} onUnit={(unit) => set('lifeUnit', unit)} help="Default 90 days, 366 at most." />
    </FormDialog>
  );
}

export function LifeField({ life, unit, error, onLife, onUnit, help, label = 'Ends after' }: { life: string; unit: FormUnit; error: React.ReactNode; onLife: (value: string) => void; onUnit: (unit: FormUnit) => void; help: string; label?: string }) {
  return (
    <Field label={label} error={error} help={help}>
      {(id, described) => (
        <span className={error ? 'input wrong' : 'input'} style={{ maxWidth: 220 }}>
          <input id={id} inputMode="decimal" autoComplete="off" value={life} aria-describedby={described} onChange={(event) => onLife(event.target.value)} />
          <select className="unit-select" aria-label={`Unit of ${label.toLowerCase()}`} value={unit} onChange={(event) => onUnit(event.target.value as FormUnit)}>
            <option>minutes</option>
            <option>hours</option>
            <option>days</option>
          </select>
        </span>
      )}
    </Field>
  );
}
