import { useState } from 'react';
import { api } from '../../api/client';
import { useRefresh, useTree } from '../../api/queries';
import type { Import, ImportCreate, Offer } from '../../api/types';
import { changesOf, toPatch } from '../../lib/changes';
import { EMPTY_IMPORT, fromImport, importErrors, type ImportForm, toImport } from '../../lib/sharing-model';
import { useCall } from '../../lib/use-call';
import { Choice } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { CheckField, Locked, More, PlainField, SelectField } from '../../ui/FormFields';
import { noteDone } from '../../ui/done-notes';

interface Props {
  account: string;
  start: Import | null;
  offer: Offer | null;
  taken: readonly string[];
  onClose: () => void;
}

function startOf(start: Import | null, offer: Offer | null): ImportForm {
  if (start) return fromImport(start);
  if (offer) return { ...EMPTY_IMPORT, from: 'offer', name: offer.name, type: offer.type, subject: offer.subject };
  return EMPTY_IMPORT;
}

/** What an import may change: the rest is where it comes from, which is fixed. */
function changeable(body: ImportCreate): object {
  const { name, subject, local_subject, share_connection_info, allow_trace, activation_token } = body;
  return { name, subject, local_subject: local_subject ?? null, share_connection_info, allow_trace, ...(activation_token ? { activation_token } : {}) };
}

export function ImportDialog({ account, start, offer, taken, onClose }: Props) {
  const refresh = useRefresh();
  const tree = useTree();
  const call = useCall();
  const first = startOf(start, offer);
  const [form, setForm] = useState<ImportForm>(first);
  const [tried, setTried] = useState(false);
  const errors = importErrors(form, taken.filter((name) => name !== start?.name));
  const reasons = call.error?.fieldReasons ?? {};
  const set = <K extends keyof ImportForm>(field: K) => (value: ImportForm[K]) => setForm((before) => ({ ...before, [field]: value }));
  const shown = (field: keyof ImportForm) => (tried || form[field] ? errors[field] : undefined);
  const share = offer?.share_id ?? null;
  const list = start ? changesOf(changeable(toImport(first, share)), changeable(toImport(form, share))) : [];
  const others = (tree.data ?? []).filter((entry) => entry.account.id !== account);

  const submit = async () => {
    setTried(true);
    if (Object.keys(errors).length) return;
    const body = toImport(form, share);
    const done = await call.run(async (key) => {
      if (start) {
        await api.PATCH('/v1/imports/{import}', {
          params: { path: { import: start.id }, header: { 'If-Match': start.etag } },
          body: toPatch(list),
          headers: { 'Content-Type': 'application/merge-patch+json' },
        });
      } else {
        await api.POST('/v1/accounts/{account}/imports', { params: { path: { account }, header: { 'Idempotency-Key': key } }, body });
      }
      await refresh('imports', 'offers');
    }, { ...body, activation_token: undefined });
    if (!done) return;
    noteDone(`Import ${form.name} ${start ? 'changed' : 'created'}.`);
    onClose();
  };

  return (
    <FormDialog
      opened
      onClose={onClose}
      title={start ? <>Edit import <span className="mono">{start.name}</span></> : offer ? <>Import <span className="mono">{offer.name}</span></> : 'Create import'}
      lead={offer?.description || 'The subjects of the other account appear here as if they were ours.'}
      act={start ? 'Save changes' : 'Create import'}
      blocked={start && list.length === 0 ? 'Nothing is changed yet.' : null}
      call={call}
      onSubmit={submit}
    >
      <PlainField label="Name" mono value={form.name} onChange={set('name')} error={reasons.name ?? shown('name')} placeholder="order-events" autoFocus />
      {start || offer ? (
        <Locked label="Kind" value={form.type === 'stream' ? 'Messages flow in' : 'Requests go out'} why="As the export." />
      ) : (
        <>
          <Choice
            label="From"
            value={form.from}
            onChange={set('from')}
            options={[
              { value: 'account', label: 'An account of ours' },
              { value: 'key', label: 'Another organisation' },
            ]}
          />
          {form.from === 'account' ? (
            <SelectField label="Account" mono value={form.account} onChange={set('account')} error={tried ? errors.account : undefined} options={[{ value: '', label: 'Choose' }, ...others.map((entry) => ({ value: entry.account.id, label: `${entry.account.name}, ${entry.project.name}` }))]} />
          ) : (
            <PlainField label="Public key of the account" mono value={form.publicKey} onChange={set('publicKey')} error={shown('publicKey')} placeholder="A…" />
          )}
          <Choice
            label="Kind"
            value={form.type}
            onChange={set('type')}
            options={[
              { value: 'stream', label: 'Messages flow in' },
              { value: 'service', label: 'Requests go out' },
            ]}
          />
        </>
      )}
      <PlainField label="Subject there" mono value={form.subject} onChange={set('subject')} error={reasons.subject ?? shown('subject')} placeholder="orders.eu.>" help="What the other account exports, or a part of it." />
      <PlainField label="Subject here" mono optional value={form.local} onChange={set('local')} error={reasons.local_subject ?? errors.local} placeholder={form.subject || 'the same'} help="Empty: the same. $1 stands for the first wildcard." />
      {form.type === 'service' ? (
        <CheckField checked={form.share} onChange={set('share')} text="Let the service see who asks" help="Address, name and user of the client." />
      ) : (
        <CheckField checked={form.trace} onChange={set('trace')} text="Traces may come in with the messages" />
      )}
      {form.from === 'key' ? (
        <More title="Activation token given by hand" open={false}>
          <PlainField label="Activation token" mono optional value={form.token} onChange={set('token')} placeholder="eyJ…" help="Only where the exporter gave one out. It is never shown again." />
        </More>
      ) : null}
    </FormDialog>
  );
}
