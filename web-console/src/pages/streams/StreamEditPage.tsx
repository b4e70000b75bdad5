import { useForm } from '@mantine/form';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, body } from '../../api/client';
import { ApiError, asApiError } from '../../api/error';
import { useAccount, useRefresh, useStream, useStreams } from '../../api/queries';
import type { Stream } from '../../api/types';
import { streamEditTabs } from '../../lib/code-tabs';
import { diffText } from '../../lib/changes';
import { mergeRows } from '../../lib/merge';
import { type Change, changes, fromStream, ONE_WAY, oneWay, type StreamForm, streamErrors, toConfig, toPatch } from '../../lib/stream-model';
import { Button, ButtonLink } from '../../ui/Button';
import { Conflict } from '../../ui/Conflict';
import { DangerDialog } from '../../ui/DangerDialog';
import { ErrorLine, ErrorPanel } from '../../ui/ErrorPanel';
import { PageHead } from '../../ui/Page';
import { Loading } from '../../ui/states';
import { noteDone } from '../../ui/done-notes';
import { StreamAside } from './StreamAside';
import { formReasons } from './StreamCreatePage';
import { overlapOf, StreamFields, type StreamFormApi } from './StreamFields';

export function StreamEditPage() {
  const { account, stream: name } = useParams({ from: '/accounts/$account/streams/$stream/edit' });
  const query = useStream(account, name);
  // The edit starts from what was read first; later reads do not move the fields under the hands.
  const [start, setStart] = useState<Stream | null>(null);
  if (query.data && !start) setStart(query.data);

  if (start) return <Editor key={start.etag} start={start} account={account} onRestart={setStart} />;
  if (query.error) return <ErrorPanel page what={`Stream ${name} could not be read`} error={asApiError(query.error)} onRetry={() => void query.refetch()} />;
  return <Loading what={`stream ${name}`} rows={4} />;
}

interface EditorProps {
  start: Stream;
  account: string;
  onRestart: (stream: Stream) => void;
}

function Editor({ start, account, onRestart }: EditorProps) {
  const name = start.name;
  const navigate = useNavigate();
  const refresh = useRefresh();
  const streams = useStreams(account);
  const accountQuery = useAccount(account);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [theirs, setTheirs] = useState<Stream | null>(null);
  const [asking, setAsking] = useState(false);
  const before = fromStream(start);
  const form = useForm<StreamForm & Record<string, unknown>>({
    initialValues: { ...fromStream(start) },
    validateInputOnBlur: true,
    validate: (values) => streamErrors(values),
  }) as StreamFormApi;

  const others = (streams.data?.data ?? []).filter((other) => other.name !== name);
  const list = changes(fromStream(start), form.values);
  const forGood = oneWay(list);
  const overlap = overlapOf(form.values.subjects, others);

  const save = async (patch: Change[], etag: string, rethrow = false) => {
    setBusy(true);
    setFailure(null);
    try {
      await api.PATCH('/v1/accounts/{account}/streams/{stream}', {
        params: { path: { account, stream: name }, header: { 'If-Match': etag } },
        body: toPatch(patch),
        headers: { 'Content-Type': 'application/merge-patch+json' },
      });
      await refresh('stream', 'streams', 'account');
      noteDone(`Stream ${name} changed: ${patch.map((change) => change.field).join(', ')}.`);
      await navigate({ to: '/accounts/$account/streams/$stream', params: { account, stream: name }, search: { tab: 'config' } });
    } catch (error) {
      const failed = asApiError(error);
      if (failed.status === 412) {
        setTheirs(body(await api.GET('/v1/accounts/{account}/streams/{stream}', { params: { path: { account, stream: name } } })));
      } else {
        form.setErrors(formReasons(failed));
        if (rethrow) throw failed;
        setFailure(failed);
      }
    } finally {
      setBusy(false);
    }
  };

  const submit = form.onSubmit(() => {
    if (overlap || list.length === 0) return;
    if (forGood.length) setAsking(true);
    else void save(list, start.etag);
  });
  const wrong = Object.keys(form.errors).length + (overlap && !form.errors.subjects ? 1 : 0);
  const blocked = busy
    ? 'The change is being saved.'
    : wrong > 0
      ? `${wrong} ${wrong === 1 ? 'field' : 'fields'} to mend`
      : list.length === 0
        ? 'Nothing is changed yet.'
        : null;

  return (
    <>
      <PageHead
        tab={`Edit ${name}`}
        title={
          <>
            <span>Edit <span className="mono">{name}</span></span>
          </>
        }
        facts={
          <>
            <span>Fields with a lock are fixed.</span>
            <Link to="/accounts/$account/streams/~new" params={{ account }} search={{ from: name }}>
              Copy to a new stream and switch
            </Link>
          </>
        }
      />
      {theirs ? (
        <Conflict
          name={name}
          rows={mergeRows(changes(fromStream(start), fromStream(theirs)), list)}
          busy={busy}
          onSafe={(rows) => {
            const patch = rows.map((row) => ({ field: row.field, from: row.theirs, to: row.yours }));
            if (patch.length) void save(patch, theirs.etag);
            else onRestart(theirs);
          }}
          onTheirs={() => onRestart(theirs)}
          onYours={(rows) => void save(rows.map((row) => ({ field: row.field, from: row.theirs, to: row.yours })), theirs.etag)}
        />
      ) : (
        <div className="form-grid">
          <form onSubmit={submit} noValidate>
            <StreamFields form={form} others={others} account={account} editing={before} />
            <div className="action-bar">
              <Button type="submit" look="primary" blocked={blocked}>
                {busy ? 'Saving changes' : 'Save changes'}
              </Button>
              <ButtonLink look="ghost" to="/accounts/$account/streams/$stream" params={{ account, stream: name }}>
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
          <StreamAside
            form={form.values}
            account={accountQuery.data}
            dryRun={{ state: 'none' }}
            tabs={[
              { name: 'Diff', language: 'diff', text: diffText(list) },
              ...streamEditTabs(account, name, start.etag, toPatch(list), { account_id: account, ...toConfig(form.values) }),
            ]}
          />
        </div>
      )}
      <DangerDialog
        opened={asking}
        onClose={() => setAsking(false)}
        act="Save for good"
        name={name}
        impact={forGood.map((change) => ({ what: ONE_WAY[change.field] ?? change.field, figure: '', more: change.field }))}
        consequence="There is no way back, not by the broker either."
        onConfirm={() => save(list, start.etag, true)}
      />
    </>
  );
}
