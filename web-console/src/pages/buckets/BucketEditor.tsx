import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, body } from '../../api/client';
import { useRefresh } from '../../api/queries';
import type { KvBucket, KvBucketCreate, KvBucketPatch, ObjectBucket } from '../../api/types';
import { type ApiError, asApiError } from '../../api/error';
import { newIdempotencyKey } from '../../api/client';
import { bucketCommand, bucketErrors, type BucketForm, type BucketKind, bucketSentence, fromBucket, toBucket } from '../../lib/bucket-model';
import { type Change, changesOf, diffText, toPatch } from '../../lib/changes';
import { curl, shell, terraformTab } from '../../lib/code-tabs';
import { mergeRows } from '../../lib/merge';
import { Button, ButtonLink } from '../../ui/Button';
import { CodeTabs, type CodeTab } from '../../ui/Code';
import { Conflict } from '../../ui/Conflict';
import { ErrorLine } from '../../ui/ErrorPanel';
import { PageHead } from '../../ui/Page';
import { noteDone } from '../../ui/done-notes';
import { BucketFields, type BucketFormApi } from './BucketFields';
import { KINDS } from './kinds';

const FIELD_OF: Record<string, keyof BucketForm> = { name: 'name', history: 'history', ttl: 'ttl', max_value_size: 'maxValue', max_bytes: 'maxBytes', limit_marker_ttl: 'markerTtl', metadata: 'metadata' };

function reasonsOf(error: ApiError): Partial<Record<keyof BucketForm, string>> {
  const reasons: Partial<Record<keyof BucketForm, string>> = {};
  for (const [path, reason] of Object.entries(error.fieldReasons)) {
    const field = FIELD_OF[path.split(/[.[]/)[0] ?? ''];
    if (field) reasons[field] = reason;
  }
  if (error.code === 'already_exists') reasons.name = error.message;
  return reasons;
}

type Bucket = KvBucket | ObjectBucket;

interface Props {
  account: string;
  kind: BucketKind;
  first: BucketForm;
  /** The bucket as it was read; null makes a new one. */
  start: Bucket | null;
  taken: readonly string[];
  onRestart?: (bucket: Bucket) => void;
}

const read = async (account: string, kind: BucketKind, bucket: string): Promise<Bucket> =>
  kind === 'kv'
    ? body(await api.GET('/v1/accounts/{account}/kv/{bucket}', { params: { path: { account, bucket } } }))
    : body(await api.GET('/v1/accounts/{account}/objects/{bucket}', { params: { path: { account, bucket } } }));

async function send(account: string, kind: BucketKind, form: BucketForm): Promise<void> {
  const params = { path: { account }, header: { 'Idempotency-Key': newIdempotencyKey() } };
  if (kind === 'kv') await api.POST('/v1/accounts/{account}/kv', { params, body: toBucket(form) as KvBucketCreate });
  else await api.POST('/v1/accounts/{account}/objects', { params, body: toBucket(form) });
}

async function patch(account: string, kind: BucketKind, bucket: string, list: readonly Change[], etag: string): Promise<void> {
  const options = {
    params: { path: { account, bucket }, header: { 'If-Match': etag } },
    body: toPatch(list) as KvBucketPatch,
    headers: { 'Content-Type': 'application/merge-patch+json' },
  };
  if (kind === 'kv') await api.PATCH('/v1/accounts/{account}/kv/{bucket}', options);
  else await api.PATCH('/v1/accounts/{account}/objects/{bucket}', options);
}

export function BucketEditor({ account, kind, first, start, taken, onRestart }: Props) {
  const spec = KINDS[kind];
  const navigate = useNavigate();
  const refresh = useRefresh();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<ApiError | null>(null);
  const [theirs, setTheirs] = useState<Bucket | null>(null);
  const form = useForm<BucketForm & Record<string, unknown>>({ initialValues: { ...first }, validateInputOnBlur: true, validate: (values) => bucketErrors(values) }) as BucketFormApi;
  const values = form.values;
  const list = start ? changesOf(toBucket(first), toBucket(values)) : [];
  const exists = !start && taken.includes(values.name);
  const wrong = Object.keys(form.errors).length + (exists && !form.errors.name ? 1 : 0);

  const run = async (work: () => Promise<void>, done: string) => {
    setBusy(true);
    setFailure(null);
    try {
      await work();
      await refresh(spec.root, spec.one, 'account', 'streams');
      noteDone(done);
      await navigate({ to: spec.detail, params: { account, bucket: values.name } });
    } catch (error) {
      const failed = asApiError(error);
      if (failed.status === 412 && start) {
        setTheirs(await read(account, kind, start.name));
      } else {
        form.setErrors(reasonsOf(failed));
        setFailure(failed);
      }
    } finally {
      setBusy(false);
    }
  };
  const save = (change: Change[], etag: string) => run(() => patch(account, kind, values.name, change, etag), `Bucket ${values.name} changed: ${change.map((entry) => entry.field).join(', ')}.`);
  const submit = form.onSubmit(() => {
    if (exists || busy) return;
    if (!start) void run(() => send(account, kind, values), `Bucket ${values.name} created.`);
    else if (list.length) void save(list, start.etag);
  });

  const config = toBucket(values);
  const json = JSON.stringify(start ? toPatch(list) : config, null, 2);
  const path = `/v1/accounts/${account}/${spec.path}`;
  const tabs: CodeTab[] = [
    ...(start ? [{ name: 'Diff', language: 'diff' as const, text: diffText(list) }] : []),
    { name: 'JSON', language: 'json', text: json },
    ...(start ? [] : [{ name: 'nats CLI', language: 'shell' as const, text: bucketCommand(values) }]),
    terraformTab(kind === 'kv' ? 'kv_bucket' : 'object_bucket', { account_id: account, ...config }),
    {
      name: 'curl',
      language: 'shell',
      text: start ? curl('PATCH', `${path}/${values.name}`, json, ["-H 'Content-Type: application/merge-patch+json'", `-H ${shell(`If-Match: ${start.etag}`)}`]) : curl('POST', path, json, ["-H 'Content-Type: application/json'"]),
    },
  ];
  const title = start ? `Edit ${start.name}` : `Create ${spec.noun}`;
  return (
    <>
      <PageHead tab={title} title={start ? <>Edit <span className="mono">{start.name}</span></> : title} facts={start ? <span>Contents stay. Fields with a lock are fixed.</span> : <span>{spec.purpose}</span>} />
      {theirs && start ? (
        <Conflict
          name={start.name}
          rows={mergeRows(changesOf(toBucket(first), toBucket(fromBucket(kind, theirs))), list)}
          busy={busy}
          onSafe={(rows) => {
            if (rows.length) void save(rows.map((row) => ({ field: row.field, from: row.theirs, to: row.yours })), theirs.etag);
            else onRestart?.(theirs);
          }}
          onTheirs={() => onRestart?.(theirs)}
          onYours={(rows) => void save(rows.map((row) => ({ field: row.field, from: row.theirs, to: row.yours })), theirs.etag)}
        />
      ) : (
        <div className="form-grid">
          <form onSubmit={submit} noValidate>
            <BucketFields form={form} taken={exists} editing={start !== null} />
            <div className="action-bar">
              <Button type="submit" look="primary" blocked={busy ? 'The call is under way.' : wrong ? `${wrong} ${wrong === 1 ? 'field' : 'fields'} to mend` : start && list.length === 0 ? 'Nothing is changed yet.' : null}>
                {start ? 'Save changes' : `Create ${spec.noun}`}
              </Button>
              {start ? (
                <ButtonLink look="ghost" to={spec.detail} params={{ account, bucket: start.name }}>
                  Cancel
                </ButtonLink>
              ) : (
                <ButtonLink look="ghost" to={spec.list} params={{ account }}>
                  Cancel
                </ButtonLink>
              )}
            </div>
            {failure ? <ErrorLine error={failure} /> : null}
          </form>
          <aside>
            <div className="label">What this will do</div>
            <p style={{ fontSize: 'var(--t-lg)', lineHeight: '24px', margin: '4px 0 18px' }} aria-live="polite">
              {bucketSentence(values)}
            </p>
            <CodeTabs tabs={tabs} label="The same as code" />
          </aside>
        </div>
      )}
    </>
  );
}
