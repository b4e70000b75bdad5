import { useForm } from '@mantine/form';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api, body } from '../../api/client';
import { ApiError, asApiError } from '../../api/error';
import { useAccount, useRefresh, useStream, useStreams } from '../../api/queries';
import type { Stream } from '../../api/types';
import { streamEditTabs } from '../../lib/code-tabs';
import { configValue } from '../../lib/config-words';
import { type MergeRow, mergeRows, safeMerge } from '../../lib/merge';
import { type Change, changes, fromStream, type StreamForm, streamErrors, toPatch } from '../../lib/stream-model';
import { Button, ButtonLink } from '../../ui/Button';
import { ErrorLine, ErrorPanel } from '../../ui/ErrorPanel';
import { PageHead } from '../../ui/Page';
import { StateMark } from '../../ui/StateMark';
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
  if (query.error) return <ErrorPanel what={`Stream ${name} could not be read`} error={asApiError(query.error)} onRetry={() => void query.refetch()} />;
  return <Loading what={`stream ${name}`} rows={4} />;
}

interface EditorProps {
  start: Stream;
  account: string;
  onRestart: (stream: Stream) => void;
}

function diffText(list: readonly Change[]): string {
  if (list.length === 0) return 'Nothing is changed yet.';
  return list.flatMap((change) => [`- ${change.field}: ${JSON.stringify(change.from)}`, `+ ${change.field}: ${JSON.stringify(change.to)}`]).join('\n');
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
  const form = useForm<StreamForm & Record<string, unknown>>({
    initialValues: { ...fromStream(start) },
    validateInputOnBlur: true,
    validate: (values) => streamErrors(values),
  }) as StreamFormApi;

  const others = (streams.data?.data ?? []).filter((other) => other.name !== name);
  const list = changes(fromStream(start), form.values);
  const overlap = overlapOf(form.values.subjects, others);

  const save = async (patch: Change[], etag: string) => {
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
        setFailure(failed);
      }
    } finally {
      setBusy(false);
    }
  };

  const submit = form.onSubmit(() => {
    if (!overlap && list.length) void save(list, start.etag);
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
            Edit <span className="mono">{name}</span>
          </>
        }
        facts={<span>Fields with a lock are fixed: a new stream and a switch change them.</span>}
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
            <StreamFields form={form} others={others} account={account} editing />
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
            dryRun={{ state: 'incomplete' }}
            tabs={[
              { name: 'Diff', language: 'diff', text: diffText(list) },
              ...streamEditTabs(account, name, start.etag, toPatch(list)),
            ]}
          />
        </div>
      )}
    </>
  );
}

interface ConflictProps {
  name: string;
  rows: readonly MergeRow[];
  busy: boolean;
  onSafe: (rows: MergeRow[]) => void;
  onTheirs: () => void;
  onYours: (rows: MergeRow[]) => void;
}

/** Someone saved first. Nothing was overwritten; the choice is made field by field in the open. */
function Conflict({ name, rows, busy, onSafe, onTheirs, onYours }: ConflictProps) {
  const safe = safeMerge(rows);
  const clashes = rows.filter((row) => row.clash).length;
  const blocked = busy ? 'The change is being saved.' : null;
  return (
    <div className="placard" role="alert" style={{ maxWidth: 760 }}>
      <StateMark state="watch" size={18} className="bold">
        {name} changed while you were editing
      </StateMark>
      <p className="ink2">
        Someone else saved first. Nothing of theirs was overwritten.{' '}
        {clashes === 0 ? 'No field differs on both sides.' : `${clashes} ${clashes === 1 ? 'field differs' : 'fields differ'} on both sides.`}
      </p>
      <div className="scroll-x" style={{ width: '100%' }}>
        <table>
          <caption className="vh">Fields that changed</caption>
          <thead>
            <tr>
              <th>Field</th>
              <th className="num">Was</th>
              <th className="num">Theirs</th>
              <th className="num">Yours</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.field}>
                <td className="mono">
                  {row.field} {row.clash ? <StateMark state="watch" hidden="differs on both sides" /> : null}
                </td>
                <td className="num ink3">{configValue(row.field, row.was)}</td>
                <td className="num">{configValue(row.field, row.theirs)}</td>
                <td className="num">{configValue(row.field, row.yours)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="line wrap">
        <Button look="primary" blocked={blocked} onClick={() => onSafe(safe)}>
          {safe.length ? `Keep theirs, add my ${safe.map((row) => row.field).join(', ')}` : 'Keep theirs'}
        </Button>
        {clashes > 0 ? (
          <Button blocked={blocked} onClick={() => onYours(rows.filter((row) => JSON.stringify(row.yours) !== JSON.stringify(row.theirs) && JSON.stringify(row.yours) !== JSON.stringify(row.was)))}>
            Save mine over theirs
          </Button>
        ) : null}
        <Button look="ghost" blocked={blocked} onClick={onTheirs}>
          Start again from theirs
        </Button>
      </div>
    </div>
  );
}
