import { useState } from 'react';
import { api } from '../../api/client';
import { useRefresh } from '../../api/queries';
import type { Export } from '../../api/types';
import { changesOf, toPatch } from '../../lib/changes';
import { EMPTY_EXPORT, exportErrors, type ExportForm, fromExport, toExport } from '../../lib/sharing-model';
import { useCall } from '../../lib/use-call';
import { Choice } from '../../ui/Field';
import { FormDialog } from '../../ui/FormDialog';
import { CheckField, Locked, More, PlainField } from '../../ui/FormFields';
import { noteDone } from '../../ui/done-notes';

interface Props {
  account: string;
  start: Export | null;
  taken: readonly string[];
  onClose: () => void;
}

export function ExportDialog({ account, start, taken, onClose }: Props) {
  const refresh = useRefresh();
  const call = useCall();
  const [form, setForm] = useState<ExportForm>(start ? fromExport(start) : EMPTY_EXPORT);
  const [tried, setTried] = useState(false);
  const errors = exportErrors(form, taken.filter((name) => name !== start?.name));
  const reasons = call.error?.fieldReasons ?? {};
  const set = <K extends keyof ExportForm>(field: K) => (value: ExportForm[K]) => setForm((before) => ({ ...before, [field]: value }));
  const shown = (field: keyof ExportForm) => (tried || form[field] ? errors[field] : undefined);
  const list = start ? changesOf(toExport(fromExport(start)), toExport(form)) : [];

  const submit = async () => {
    setTried(true);
    if (Object.keys(errors).length) return;
    const body = toExport(form);
    const done = await call.run(async (key) => {
      if (start) {
        await api.PATCH('/v1/exports/{export}', {
          params: { path: { export: start.id }, header: { 'If-Match': start.etag } },
          body: toPatch(list),
          headers: { 'Content-Type': 'application/merge-patch+json' },
        });
      } else {
        await api.POST('/v1/accounts/{account}/exports', { params: { path: { account }, header: { 'Idempotency-Key': key } }, body });
      }
      await refresh('exports');
    }, body);
    if (!done) return;
    noteDone(`Export ${form.name} ${start ? 'changed' : 'created'}.`);
    onClose();
  };

  return (
    <FormDialog
      opened
      onClose={onClose}
      title={start ? <>Edit export <span className="mono">{start.name}</span></> : 'Create export'}
      lead={start && start.share_count > 0 ? `${start.share_count} ${start.share_count === 1 ? 'share depends' : 'shares depend'} on it. Importers of a subject that is no longer there get nothing.` : 'Nobody receives anything until an account imports it.'}
      act={start ? 'Save changes' : 'Create export'}
      blocked={start && list.length === 0 ? 'Nothing is changed yet.' : null}
      call={call}
      onSubmit={submit}
    >
      <PlainField label="Name" mono value={form.name} onChange={set('name')} error={reasons.name ?? shown('name')} placeholder="order-events" autoFocus />
      {start ? (
        <Locked label="Kind" value={form.type === 'stream' ? 'Messages flow out' : 'Requests are answered here'} why="Fixed: importers take it as the one or the other." />
      ) : (
        <Choice
          label="Kind"
          value={form.type}
          onChange={set('type')}
          options={[
            { value: 'stream', label: 'Messages flow out' },
            { value: 'service', label: 'Requests are answered here' },
          ]}
        />
      )}
      <PlainField label="Subject" mono value={form.subject} onChange={set('subject')} error={reasons.subject ?? shown('subject')} placeholder={form.type === 'stream' ? 'orders.eu.>' : 'quotes.get'} help="* is one token, > is the rest." />
      <PlainField label="Description" optional value={form.description} onChange={set('description')} help="Importers see it." />
      <CheckField checked={form.tokenRequired} onChange={set('tokenRequired')} text="Importers need a share" help="Without it, every account that knows this account’s public key and the subject can import." />
      {form.type === 'service' ? (
        <Choice
          label="Answers"
          value={form.response}
          onChange={set('response')}
          options={[
            { value: 'singleton', label: 'One' },
            { value: 'stream', label: 'Many' },
            { value: 'chunked', label: 'One in pieces' },
          ]}
          short
        />
      ) : null}
      <More title="Account in the subject, latency, visibility" open={form.position !== '' || form.sampling !== '' || form.advertise || form.trace}>
        <PlainField label="Place of the importer’s key in the subject" optional value={form.position} onChange={set('position')} error={errors.position} placeholder="none" help="Counted from 1. That token is * here and always the importer’s own public key there." />
        {form.type === 'service' ? (
          <>
            <div className="pair">
              <PlainField label="Report latency of" optional value={form.sampling} onChange={set('sampling')} error={errors.sampling} placeholder="none" help="Percent of the requests." />
              <PlainField label="On subject" mono optional value={form.latencySubject} onChange={set('latencySubject')} error={errors.latencySubject} placeholder="latency.quotes" />
            </div>
            <CheckField checked={form.trace} onChange={set('trace')} text="Traces of importers go on into this account" />
          </>
        ) : null}
        <CheckField checked={form.advertise} onChange={set('advertise')} text="Show it to the other accounts of the organisation" />
      </More>
    </FormDialog>
  );
}
