import { Link } from '@tanstack/react-router';
import { asApiError } from '../../api/error';
import { useKvHistory } from '../../api/resources';
import type { KvBucket, Message } from '../../api/types';
import { count, exactTime, fromNow } from '../../lib/format';
import { preview } from '../../lib/payload';
import { usePrefs } from '../../lib/prefs';
import { useNow } from '../../lib/use-now';
import { ErrorLine } from '../../ui/ErrorPanel';
import { StateMark } from '../../ui/StateMark';
import { Exact } from '../../ui/Tip';

/** What a write of a key did: null for a value, else the words for its end. */
export function endingOf(message: Pick<Message, 'headers'>): string | null {
  const operation = message.headers['KV-Operation']?.[0];
  if (operation === 'DEL') return 'deleted';
  if (operation === 'PURGE') return 'purged';
  const reason = message.headers['Nats-Marker-Reason']?.[0];
  if (reason) return reason === 'MaxAge' ? 'ended by its age' : 'removed';
  return null;
}

/** The values of a key as far as the bucket keeps them, newest first. They are the messages of its subject. */
export function EntryHistory({ account, bucket, entryKey }: { account: string; bucket: KvBucket; entryKey: string }) {
  const query = useKvHistory(account, bucket, entryKey);
  const { zone } = usePrefs();
  const now = useNow(5_000);
  const search = { subject: `$KV.${bucket.name}.${entryKey}` };
  const rows = query.data ?? [];
  return (
    <section className="stack" style={{ gap: 4 }} aria-label={`History of ${entryKey}`}>
      <div className="line">
        <h2 className="bold small">History</h2>
        <span className="tiny ink3">
          {bucket.history === 1 ? 'the bucket keeps the newest value only' : `the bucket keeps ${count(bucket.history)} values of a key`}
        </span>
        <Link className="tiny to-end" to="/accounts/$account/streams/$stream" params={{ account, stream: bucket.stream_name }} search={search}>
          In the stream
        </Link>
      </div>
      {query.error ? <ErrorLine error={asApiError(query.error)} /> : null}
      {rows.length ? (
        <table>
          <caption className="vh">History of {entryKey}, newest first</caption>
          <thead>
            <tr>
              <th>Revision</th>
              <th>Written</th>
              <th>Value</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((message) => {
              const ending = endingOf(message);
              return (
                <tr key={message.seq}>
                  <td className="mono">{count(message.seq)}</td>
                  <td className="ink2 nowrap">
                    <Exact value={fromNow(message.time, now)} exact={exactTime(message.time, zone)} />
                  </td>
                  <td className="mono history-cell">
                    {ending ? <StateMark state="held">{ending}</StateMark> : <div className="cut" title={preview(message.payload)}>{preview(message.payload) || <span className="ink3">(empty)</span>}</div>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      ) : query.data ? (
        <p className="small ink3">Nothing of it is kept any more.</p>
      ) : null}
    </section>
  );
}
