import { api } from '../../api/client';
import { useRefresh } from '../../api/queries';
import { useDeletedStreams, useOperations } from '../../api/resources';
import type { Account, DeletedStream, Operation } from '../../api/types';
import { bytes, count, exactTime, fromNow } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { useCall } from '../../lib/use-call';
import { useNow } from '../../lib/use-now';
import { Button } from '../../ui/Button';
import { ErrorLine } from '../../ui/ErrorPanel';
import { Listing } from '../../ui/Listing';
import { Section } from '../../ui/Page';
import { StateMark, type State } from '../../ui/StateMark';
import { Exact } from '../../ui/Tip';
import { noteDone } from '../../ui/done-notes';

const KIND: Record<DeletedStream['kind'], string> = { stream: 'stream', kv_bucket: 'KV bucket', object_bucket: 'object bucket' };

/** Name of a bucket without the prefix of its stream. */
const bare = (row: DeletedStream) => (row.kind === 'stream' ? row.name : row.name.replace(/^(KV|OBJ)_/, ''));

async function restore(account: string, row: DeletedStream, key: string): Promise<void> {
  const header = { 'Idempotency-Key': key };
  if (row.kind === 'stream') await api.POST('/v1/accounts/{account}/streams/{stream}/actions/restore', { params: { path: { account, stream: row.name }, header } });
  else if (row.kind === 'kv_bucket') await api.POST('/v1/accounts/{account}/kv/{bucket}/actions/restore', { params: { path: { account, bucket: bare(row) }, header } });
  else await api.POST('/v1/accounts/{account}/objects/{bucket}/actions/restore', { params: { path: { account, bucket: bare(row) }, header } });
}

/** Streams and buckets that were deleted and can be had again. */
export function DeletedSection({ account }: { account: Account }) {
  const query = useDeletedStreams(account.id);
  const { zone } = usePrefs();
  const now = useNow(10_000);
  const refresh = useRefresh();
  const call = useCall();
  return (
    <Section title="Deleted streams and buckets" aside="kept for some days with their messages">
      <Listing query={query} what="deleted streams" columns={['Name', 'Held', 'Gone for good']} rows={1} empty={<p className="small ink3">None to restore.</p>}>
        {(rows) => (
          <table style={{ maxWidth: 900 }}>
            <caption className="vh">Deleted streams and buckets</caption>
            <thead>
              <tr>
                <th>Name</th>
                <th className="from-desk">Kind</th>
                <th className="num from-desk">Held</th>
                <th className="num from-desk">Deleted</th>
                <th className="num">Gone for good</th>
                <th>
                  <span className="vh">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.name}>
                  <td className="resource">{bare(row)}</td>
                  <td className="ink2 from-desk">{KIND[row.kind]}</td>
                  <td className="num ink2 from-desk">
                    {count(row.messages)} messages, {bytes(row.bytes)}
                  </td>
                  <td className="num ink2 from-desk">
                    <Exact value={fromNow(row.deleted_at, now)} exact={exactTime(row.deleted_at, zone)} />
                  </td>
                  <td className="num ink2">
                    <Exact value={fromNow(row.purge_at, now)} exact={exactTime(row.purge_at, zone)} />
                  </td>
                  <td className="num">
                    <Button
                      size="compact"
                      aria-label={`Restore ${bare(row)}`}
                      blocked={call.busy ? 'A call is under way.' : null}
                      onClick={async () => {
                        const done = await call.run(async (key) => {
                          await restore(account.id, row, key);
                          await refresh('deleted-streams', 'streams', 'kv', 'objects', 'account');
                        }, row.name);
                        if (done) noteDone(`${bare(row)} restored.`);
                      }}
                    >
                      Restore
                    </Button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Listing>
      {call.error ? <ErrorLine error={call.error} /> : null}
    </Section>
  );
}

const STATE: Record<Operation['state'], [State, string]> = {
  queued: ['work', 'waits for its turn'],
  running: ['work', 'at work'],
  waiting: ['work', 'waits'],
  succeeded: ['steady', 'done'],
  failed: ['fault', 'failed'],
};

/** What takes longer than a call, with its steps; it goes on when the page is closed. */
export function OperationsSection({ account }: { account: Account }) {
  const query = useOperations(account.id);
  const { zone } = usePrefs();
  const now = useNow(5_000);
  if (query.data?.length === 0) return null;
  return (
    <Section title="Operations" aside="what takes longer than a call; newest first">
      <Listing query={query} what="operations" columns={['Operation', 'State']} rows={1}>
        {(rows) => (
          <table style={{ maxWidth: 900 }}>
            <caption className="vh">Operations of {account.name}</caption>
            <tbody>
              {rows.map((row) => {
                const [state, word] = STATE[row.state] ?? ['stale', row.state];
                const done = row.steps.filter((step) => step.state === 'succeeded').length;
                const at = row.steps.find((step) => step.state === 'running' || step.state === 'waiting' || step.state === 'failed');
                return (
                  <tr key={row.id}>
                    <td>{row.kind.replace(/[._]/g, ' ')}</td>
                    <td>
                      <StateMark state={state}>{word}</StateMark>
                    </td>
                    <td className="ink2 from-desk">
                      step {Math.min(done + (at ? 1 : 0), row.steps.length)} of {row.steps.length}
                      {at ? `: ${at.name.replace(/_/g, ' ')}` : ''}
                      {row.error ? <span className="fault-text"> {row.error}</span> : null}
                    </td>
                    <td className="num ink3">
                      <Exact value={fromNow(row.created_at, now)} exact={exactTime(row.created_at, zone)} />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        )}
      </Listing>
    </Section>
  );
}
