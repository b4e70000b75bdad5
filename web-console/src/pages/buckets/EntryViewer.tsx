import { useState } from 'react';
import { api, body } from '../../api/client';
import { asApiError } from '../../api/error';
import { useRefresh } from '../../api/queries';
import { useKvEntry } from '../../api/resources';
import type { KvBucket, KvEntry } from '../../api/types';
import { shell } from '../../lib/code-tabs';
import { bytes, count, exactTime } from '../../lib/format';
import { entryText, prettyJson, valueProblem } from '../../lib/kv';
import { hexDump } from '../../lib/payload';
import { usePrefs } from '../../lib/prefs';
import { Button } from '../../ui/Button';
import { Code } from '../../ui/Code';
import { Command, CopyButton } from '../../ui/Copy';
import { DangerDialog } from '../../ui/DangerDialog';
import { ErrorLine } from '../../ui/ErrorPanel';
import { CheckField, LinesField } from '../../ui/FormFields';
import { Listing } from '../../ui/Listing';
import { CopyTerraform } from '../../ui/Terraform';
import { Note } from '../../ui/states';
import { noteDone } from '../../ui/done-notes';
import { EntryHistory } from './EntryHistory';

interface Props {
  account: string;
  bucket: KvBucket;
  entryKey: string;
  blocked: string | null;
  onGone: () => void;
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

/** The value of one key: read, changed from the revision that was seen, or deleted. */
export function EntryViewer({ account, bucket, entryKey, blocked, onGone }: Props) {
  const query = useKvEntry(account, bucket.name, entryKey);
  const { zone } = usePrefs();
  const refresh = useRefresh();
  const [editing, setEditing] = useState<KvEntry | null>(null);
  const [deleting, setDeleting] = useState(false);
  const [purge, setPurge] = useState(false);
  const gone = query.error && asApiError(query.error).status === 404;
  if (gone) {
    return (
      <div className="placard viewer-body">
        <h2 className="h2">
          <span className="mono break">{entryKey}</span> has no value
        </h2>
        <p className="ink2">It was deleted, or ended by its age.</p>
        <EntryHistory account={account} bucket={bucket} entryKey={entryKey} />
        <Button onClick={onGone}>Back to the keys</Button>
      </div>
    );
  }
  return (
    <Listing query={query} what={`value of ${entryKey}`} columns={['Value']} rows={2}>
      {(entry) => {
        const text = entryText(entry);
        const pretty = text === null ? null : prettyJson(text);
        return (
          <div className="viewer-inner" role="region" aria-label={`Key ${entryKey}`}>
            <div className="viewer-bar">
              <span className="mono bold break grow">{entryKey}</span>
              <CopyButton text={text ?? entry.value} what={text === null ? 'value as base64' : 'value'} />
              <CopyTerraform kind="kv_entry" object={entry} what={`key ${entryKey}`} size="compact" />
              <Button size="compact" blocked={blocked ?? (text === null ? 'The value is no text: use nats kv put.' : null)} onClick={() => setEditing(entry)}>
                Edit
              </Button>
              <Button size="compact" look="danger" blocked={blocked} onClick={() => setDeleting(true)}>
                Delete
              </Button>
            </div>
            <div className="viewer-body stack">
              <dl className="pairs">
                <dt>Revision</dt>
                <dd>{count(entry.revision)}</dd>
                <dt>Written</dt>
                <dd>{exactTime(entry.created_at, zone)}</dd>
                <dt>Size</dt>
                <dd>
                  {bytes(entry.size)}
                  {text === null ? ', no text' : ''}
                </dd>
              </dl>
              {editing ? (
                <Editor key={editing.revision} account={account} bucket={bucket.name} entry={editing} onClose={() => setEditing(null)} />
              ) : (
                <Code text={text === null ? hexDump(bytesOf(entry.value)) : (pretty ?? (text === '' ? '(empty)' : text))} language={pretty === null ? 'text' : 'json'} label={`Value of ${entryKey}`} />
              )}
              <div className="stack">
                <EntryHistory account={account} bucket={bucket} entryKey={entryKey} />
                <Command>{`nats kv get ${shell(bucket.name)} ${shell(entryKey)}`}</Command>
              </div>
            </div>
            <DangerDialog
              opened={deleting}
              onClose={() => setDeleting(false)}
              act={purge ? 'Purge key' : 'Delete key'}
              name={entryKey}
              impact={[{ what: 'Revision', figure: count(entry.revision) }]}
              consequence={purge ? 'Its history goes with it. There is no undo.' : 'Readers find no value. The values before stay in the history, as far as the bucket keeps them.'}
              onConfirm={async () => {
                await api.DELETE('/v1/accounts/{account}/kv/{bucket}/entries/{key}', {
                  params: { path: { account, bucket: bucket.name, key: entryKey }, header: { 'If-Match': entry.etag }, query: purge ? { purge: true } : {} },
                });
                noteDone(`Key ${entryKey} ${purge ? 'purged' : 'deleted'}.`);
                onGone();
                await refresh('kv-keys', 'kv-entry', 'kv-history', 'kv-bucket', 'kv');
              }}
            >
              <CheckField checked={purge} onChange={setPurge} text="Purge its history too" />
            </DangerDialog>
          </div>
        );
      }}
    </Listing>
  );
}

interface EditorProps {
  account: string;
  bucket: string;
  entry: KvEntry;
  onClose: () => void;
}

function Editor({ account, bucket, entry, onClose }: EditorProps) {
  const refresh = useRefresh();
  const [value, setValue] = useState(entryText(entry) ?? '');
  const [theirs, setTheirs] = useState<KvEntry | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const path = { account, bucket, key: entry.key };
  const wrong = valueProblem(value);

  const save = async (revision: string) => {
    setBusy(true);
    setError(null);
    try {
      await api.PUT('/v1/accounts/{account}/kv/{bucket}/entries/{key}', { params: { path }, body: { value, encoding: 'utf8', expected_revision: revision } });
      await refresh('kv-entry', 'kv-history', 'kv-keys', 'kv-bucket');
      noteDone(`Key ${entry.key} changed.`);
      onClose();
    } catch (failure) {
      const failed = asApiError(failure);
      if (failed.status === 412) {
        try {
          setTheirs(body(await api.GET('/v1/accounts/{account}/kv/{bucket}/entries/{key}', { params: { path } })));
        } catch (reading) {
          setError(reading);
        }
      } else {
        setError(failure);
      }
    } finally {
      setBusy(false);
    }
  };
  const blocked = busy ? 'The call is under way.' : wrong;
  return (
    <div className="stack">
      {theirs ? (
        <Note tone="watch" role="alert" title={`Somebody wrote revision ${count(theirs.revision)} while you were editing.`}>
          <p>Nothing of theirs was overwritten. Their value:</p>
          <Code text={entryText(theirs) ?? '(no text)'} language="text" label="Their value" />
        </Note>
      ) : null}
      <LinesField required label="Value" value={value} onChange={setValue} error={wrong} rows={8} help={`Saved only if revision ${count((theirs ?? entry).revision)} is still the newest.`} />
      <div className="line wrap">
        {theirs ? (
          <>
            <Button
              size="compact"
              look="primary"
              blocked={blocked}
              onClick={() => {
                onClose();
                void refresh('kv-entry');
              }}
            >
              Keep theirs
            </Button>
            <Button size="compact" look="danger" blocked={blocked} onClick={() => void save(theirs.revision)}>
              Save mine over theirs
            </Button>
          </>
        ) : (
          <>
            <Button size="compact" look="primary" blocked={blocked ?? (value === entryText(entry) ? 'Nothing is changed yet.' : null)} onClick={() => void save(entry.revision)}>
              Save value
            </Button>
            <Button size="compact" look="ghost" onClick={onClose}>
              Cancel
            </Button>
          </>
        )}
        {prettyJson(value) !== null && prettyJson(value) !== value ? (
          <Button size="compact" onClick={() => setValue(prettyJson(value) ?? value)}>
            Lay out JSON
          </Button>
        ) : null}
      </div>
      {error ? <ErrorLine error={asApiError(error)} /> : null}
    </div>
  );
}
