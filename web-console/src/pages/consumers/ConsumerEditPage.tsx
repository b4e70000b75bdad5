import { useForm } from '@mantine/form';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, body } from '../../api/client';
import { type ApiError, asApiError } from '../../api/error';
import { useConsumer, useRefresh, useStream } from '../../api/queries';
import type { Consumer, ConsumerPatch } from '../../api/types';
import { type Change, changesOf, diffText, toPatch } from '../../lib/changes';
import { consumerEditTabs } from '../../lib/code-tabs';
import { type ConsumerForm, consumerErrors, consumerSentence, fromConsumer, toConsumer } from '../../lib/consumer-model';
import { mergeRows } from '../../lib/merge';
import { Button, ButtonLink } from '../../ui/Button';
import { CodeTabs } from '../../ui/Code';
import { Conflict } from '../../ui/Conflict';
import { ErrorLine, ErrorPanel } from '../../ui/ErrorPanel';
import { PageHead } from '../../ui/Page';
import { Loading } from '../../ui/states';
import { noteDone } from '../../ui/done-notes';
import { ConsumerFields, type ConsumerFormApi, consumerReasons } from './ConsumerFields';

export function ConsumerEditPage() {
  const { account, stream, consumer: name } = useParams({ from: '/accounts/$account/streams/$stream/consumers/$consumer/edit' });
  const query = useConsumer(account, stream, name);
  // The edit starts from what was read first; later reads do not move the fields under the hands.
  const [start, setStart] = useState<Consumer | null>(null);
  if (query.data && !start) setStart(query.data);

  if (start) return <Editor key={start.etag} start={start} account={account} onRestart={setStart} />;
  if (query.error) return <ErrorPanel page what={`Consumer ${name} could not be read`} error={asApiError(query.error)} onRetry={() => void query.refetch()} />;
  return <Loading what={`consumer ${name}`} rows={4} />;
}

function between(before: Consumer, after: ConsumerForm): Change[] {
  return changesOf(toConsumer(fromConsumer(before)), toConsumer(after));
}

function Editor({ start, account, onRestart }: { start: Consumer; account: string; onRestart: (consumer: Consumer) => void }) {
  const path = { account, stream: start.stream_name, consumer: start.name };
  const navigate = useNavigate();
  const refresh = useRefresh();
  const stream = useStream(account, start.stream_name);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [theirs, setTheirs] = useState<Consumer | null>(null);
  const before = fromConsumer(start);
  const form = useForm<ConsumerForm & Record<string, unknown>>({
    initialValues: { ...before },
    validateInputOnBlur: true,
    validate: (values) => consumerErrors(values),
  }) as ConsumerFormApi;
  const list = between(start, form.values);

  const save = async (patch: Change[], etag: string) => {
    setBusy(true);
    setFailure(null);
    try {
      await api.PATCH('/v1/accounts/{account}/streams/{stream}/consumers/{consumer}', {
        params: { path, header: { 'If-Match': etag } },
        body: toPatch(patch) as ConsumerPatch,
        headers: { 'Content-Type': 'application/merge-patch+json' },
      });
      await refresh('consumer', 'consumers');
      noteDone(`Consumer ${start.name} changed: ${patch.map((change) => change.field).join(', ')}.`);
      await navigate({ to: '/accounts/$account/streams/$stream/consumers/$consumer', params: path });
    } catch (error) {
      const failed = asApiError(error);
      if (failed.status === 412) {
        setTheirs(body(await api.GET('/v1/accounts/{account}/streams/{stream}/consumers/{consumer}', { params: { path } })));
      } else {
        form.setErrors(consumerReasons(failed));
        setFailure(failed);
      }
    } finally {
      setBusy(false);
    }
  };

  const wrong = Object.keys(form.errors).length;
  const blocked = busy ? 'The change is being saved.' : wrong > 0 ? `${wrong} ${wrong === 1 ? 'field' : 'fields'} to mend` : list.length === 0 ? 'Nothing is changed yet.' : null;
  return (
    <>
      <PageHead
        tab={`Edit ${start.name}`}
        title={
          <>
            <span>Edit <span className="mono">{start.name}</span></span>
          </>
        }
        facts={<span>Changes act at once; clients stay connected and the consumer keeps its place.</span>}
      />
      {theirs ? (
        <Conflict
          name={start.name}
          rows={mergeRows(between(start, fromConsumer(theirs)), list)}
          busy={busy}
          onSafe={(rows) => {
            if (rows.length) void save(rows.map((row) => ({ field: row.field, from: row.theirs, to: row.yours })), theirs.etag);
            else onRestart(theirs);
          }}
          onTheirs={() => onRestart(theirs)}
          onYours={(rows) => void save(rows.map((row) => ({ field: row.field, from: row.theirs, to: row.yours })), theirs.etag)}
        />
      ) : (
        <div className="form-grid">
          <form onSubmit={form.onSubmit(() => (list.length ? void save(list, start.etag) : undefined))} noValidate>
            <ConsumerFields form={form} streamName={start.stream_name} stream={stream.data} taken={false} editing={before} />
            <div className="action-bar">
              <Button type="submit" look="primary" blocked={blocked}>
                {busy ? 'Saving changes' : 'Save changes'}
              </Button>
              <ButtonLink look="ghost" to="/accounts/$account/streams/$stream/consumers/$consumer" params={path}>
                Cancel
              </ButtonLink>
              {list.length ? (
                <span className="small ink2">
                  {list.length} {list.length === 1 ? 'field' : 'fields'} changed
                </span>
              ) : null}
            </div>
            {failure ? <ErrorLine error={failure} /> : null}
          </form>
          <aside>
            <div className="label">What it will do</div>
            <p style={{ fontSize: 'var(--t-lg)', lineHeight: '24px', margin: '4px 0 18px' }} aria-live="polite">
              {consumerSentence(form.values)}
            </p>
            <CodeTabs tabs={[{ name: 'Diff', language: 'diff', text: diffText(list) }, ...consumerEditTabs(account, start, toPatch(list) as ConsumerPatch, { account_id: account, stream_name: start.stream_name, ...toConsumer(form.values) })]} label="The same as code" />
          </aside>
        </div>
      )}
    </>
  );
}
