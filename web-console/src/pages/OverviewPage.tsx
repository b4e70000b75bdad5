import { IconPlus } from '@tabler/icons-react';
import { useQueries } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { asApiError } from '../api/error';
import { consumersQuery, useAccount, useAudit, useLiveInterval, useStreams } from '../api/queries';
import type { Account, Consumer, Stream } from '../api/types';
import { jetStream, storageLimit } from '../lib/account-words';
import { useHere } from '../frame/here';
import { big, bytes, count, fitCount, fromNow, plural, rate, share, shortCount } from '../lib/format';
import { consumerFinding } from '../lib/stream-words';
import { useNow } from '../lib/use-now';
import { useRates } from '../lib/use-rates';
import { GuardedLink } from '../frame/GuardedLink';
import { AuditTable } from '../ui/AuditTable';
import { Command } from '../ui/Copy';
import { ErrorPanel } from '../ui/ErrorPanel';
import { FlowGauge, type Outlet } from '../ui/FlowGauge';
import { LevelTube } from '../ui/LevelTube';
import { PageHead, Section } from '../ui/Page';
import { StateMark } from '../ui/StateMark';
import { Empty, Loading, Note, Reconnecting } from '../ui/states';
import { NeedsLook } from './overview/NeedsLook';

/** Consumers are read of at most so many streams; the rest is counted, not shown as healthy. */
const READ_STREAMS = 12;
const MOST_OUTLETS = 5;

interface StreamLag {
  stream: Stream;
  consumers: Consumer[];
  /** Messages the furthest consumer has not had. */
  behind: bigint;
}

function useLags(account: string, streams: readonly Stream[]) {
  const refetchInterval = useLiveInterval();
  const read = useMemo(
    () =>
      streams
        .filter((stream) => stream.state.consumer_count > 0)
        .sort((a, b) => b.state.consumer_count - a.state.consumer_count)
        .slice(0, READ_STREAMS),
    [streams],
  );
  const answers = useQueries({ queries: read.map((stream) => ({ ...consumersQuery(account, stream.name), refetchInterval })) });
  const lags = read.flatMap((stream, i): StreamLag[] => {
    const consumers = answers[i]?.data;
    if (!consumers) return [];
    const behind = consumers.reduce((most, consumer) => (big(consumer.num_pending) > most ? big(consumer.num_pending) : most), 0n);
    return [{ stream, consumers, behind }];
  });
  const at = answers.reduce((latest, answer) => Math.max(latest, answer.dataUpdatedAt), 0);
  return { lags: lags.sort((a, b) => (a.behind === b.behind ? a.stream.name.localeCompare(b.stream.name) : b.behind > a.behind ? 1 : -1)), at };
}

function AccountGauge({ account, streams, readAt, limits, lags, lagsAt }: { account: string; streams: readonly Stream[]; readAt: number; limits: Account | undefined; lags: readonly StreamLag[]; lagsAt: number }) {
  const inKeys = useMemo(() => new Map(streams.map((stream) => [stream.name, big(stream.state.last_seq)])), [streams]);
  const inRates = useRates(`streams/${account}`, inKeys, readAt);
  const outKeys = useMemo(
    () => new Map(lags.map((lag) => [lag.stream.name, lag.consumers.reduce((sum, consumer) => sum + big(consumer.delivered.consumer_seq), 0n)])),
    [lags],
  );
  const outRates = useRates(`out/${account}`, outKeys, lagsAt);
  const measured = streams.map((stream) => inRates(stream.name));
  const inflow = measured.length > 0 && measured.every((value) => value !== null) ? measured.reduce<number>((sum, value) => sum + (value ?? 0), 0) : null;
  const stored = streams.reduce((sum, stream) => sum + BigInt(stream.state.bytes), 0n);
  const messages = streams.reduce((sum, stream) => sum + big(stream.state.messages), 0n);
  const limit = limits ? storageLimit(limits) : -1;
  const used = limits?.usage?.storage_bytes ?? null;
  const percent = limit > 0 && used !== null ? share(used, limit) : null;
  const busiest = streams
    .map((stream) => ({ stream, rate: inRates(stream.name) ?? 0 }))
    .filter((entry) => entry.rate > 0)
    .sort((a, b) => b.rate - a.rate)
    .slice(0, 3);

  const shown = lags.slice(0, lags.length > MOST_OUTLETS ? MOST_OUTLETS - 1 : MOST_OUTLETS);
  const outlets: Outlet[] = shown.map((lag) => {
    const out = outRates(lag.stream.name);
    const held = lag.consumers.every((consumer) => consumer.paused);
    const watch = lag.consumers.some((consumer) => consumerFinding(consumer).state === 'watch');
    return {
      key: lag.stream.name,
      name: (
        <Link className="resource" to="/accounts/$account/streams/$stream" params={{ account, stream: lag.stream.name }} search={{ tab: 'consumers' }}>
          {lag.stream.name}
        </Link>
      ),
      valve: held ? 'held' : 'open',
      ...(watch ? { mark: { state: 'watch' as const, word: 'A consumer needs a look' } } : held ? { mark: { state: 'held' as const, word: 'Paused' } } : {}),
      rate: out,
      rateText: out === null ? '–' : rate(out),
      behind: lag.behind === 0n ? 'up to date' : `${fitCount(lag.behind)} behind`,
      ...(watch ? { behindTone: 'watch' as const } : held ? { behindTone: 'held' as const } : {}),
      level: share(lag.behind, big(lag.stream.state.messages)) ?? 0,
      levelTitle: `${count(lag.behind)} of ${count(lag.stream.state.messages)} kept messages not yet delivered to the furthest consumer`,
    };
  });
  const others = lags.length - shown.length;
  if (others > 0) {
    outlets.push({ key: 'others', name: `${others} other streams`, valve: 'open', rate: null, rateText: '', behind: lags[shown.length]?.behind === 0n ? 'up to date' : `${fitCount(lags[shown.length]?.behind ?? 0n)} at most`, level: null });
  }

  return (
    <FlowGauge
      label={`Flow of the account: ${inflow === null ? 'rate not yet measured' : `${rate(inflow)} kept by streams`}, ${bytes(stored)} stored`}
      inflow={{
        rate: inflow,
        reading: inflow === null ? <span className="ink3">–</span> : <>{rate(inflow).replace(/\/.*/, '')}<span className="unit">msg/{rate(inflow).endsWith('min') ? 'min' : 's'}</span></>,
        facts:
          inflow === null ? (
            'measured from the second read on'
          ) : (
            <>
              kept by streams
              <ul className="inflow-list">
                {busiest.map((entry) => (
                  <li key={entry.stream.name}>
                    <span className="cut">{entry.stream.name}</span>
                    <span>{rate(entry.rate)}</span>
                  </li>
                ))}
              </ul>
            </>
          ),
      }}
      tank={{
        percent,
        title: 'Stored',
        limits: percent === null ? 'The account sets no limit' : 'Streams and buckets on file',
        reading: bytes(stored),
        facts: (
          <>
            {percent === null || used === null ? null : (
              <div className="small">
                {bytes(used) === bytes(stored) ? '' : `${bytes(used)} on file `}of {bytes(limit)}, {percent > 0 && percent < 1 ? 'under 1' : Math.floor(percent)}%
              </div>
            )}
            <div className="small" style={{ marginTop: 6 }}>
              <span className="bold">{shortCount(messages)}</span> messages
            </div>
          </>
        ),
      }}
      outlets={outlets}
      outletHead="Stream, furthest behind first"
      noOutlets="No consumer takes from a stream yet."
    />
  );
}

function Limits({ account }: { account: Account }) {
  const { limits, usage } = account;
  const stored = jetStream(account);
  if (!usage) return <p className="small ink3">The broker could not be asked for usage.</p>;
  const rows = [
    { name: 'Storage on file', used: usage.storage_bytes, most: stored.storage_bytes, show: bytes, at: 'publishing to file streams is refused' },
    { name: 'Memory', used: usage.memory_bytes, most: stored.memory_bytes, show: bytes, at: 'publishing to memory streams is refused' },
    { name: 'Streams', used: usage.streams, most: stored.streams, show: count, at: 'new streams are refused' },
    { name: 'Consumers', used: usage.consumers, most: stored.consumers, show: count, at: 'new consumers are refused' },
    { name: 'Connections', used: usage.connections, most: limits.connections, show: count, at: 'new clients are refused' },
  ].filter((row) => row.used !== null);
  const limited = rows.filter((row) => row.most >= 0).map((row) => ({ ...row, percent: share(row.used ?? 0, row.most) ?? 0 })).sort((a, b) => b.percent - a.percent);
  const free = rows.filter((row) => row.most < 0);
  return (
    <div className="stack" style={{ gap: 16 }}>
      {limited.map((row) => {
        const tone = row.percent >= 100 ? 'fault' : row.percent >= 80 ? 'watch' : 'water';
        return (
          <div key={row.name}>
            <div className="line">
              <span>{row.name}</span>
              <span className={tone === 'water' ? 'to-end ink2 small' : `to-end state ${tone}`}>
                {tone === 'water' ? null : <StateMark state={tone} hidden="Near or at its limit:" />}
                {row.percent > 0 && row.percent < 1 ? 'under 1' : Math.floor(row.percent)}%
              </span>
            </div>
            <LevelTube percent={row.percent} tone={tone} />
            <div className="tiny ink3" style={{ marginTop: 4 }}>
              {row.show(row.used ?? 0)} of {row.show(row.most)}
              {tone === 'water' ? '' : `, ${row.at} at the limit`}
            </div>
          </div>
        );
      })}
      {free.length ? (
        <p className="small ink3">
          Without a limit: {free.map((row) => `${row.name.toLowerCase()} ${row.show(row.used ?? 0)}`).join(', ')}.
        </p>
      ) : null}
    </div>
  );
}

export function OverviewPage() {
  const { account: id } = useParams({ from: '/accounts/$account/' });
  const here = useHere();
  const now = useNow(5_000);
  const account = useAccount(id);
  const streams = useStreams(id);
  const audit = useAudit(here.org.id, {});
  const list = useMemo(() => streams.data?.data ?? [], [streams.data]);
  const { lags, at: lagsAt } = useLags(id, list);
  const consumers = useMemo(() => lags.flatMap((lag) => lag.consumers), [lags]);
  const data = account.data;
  const changes = audit.data?.pages[0]?.data.slice(0, 6) ?? [];
  const sync = data?.sync;

  return (
    <>
      <PageHead
        tab={here.account.name}
        title={<span className="mono">{here.account.name}</span>}
        facts={
          data ? (
            <>
              {data.usage ? (
                <span>
                  {plural(data.usage.streams, 'stream')}, {plural(data.usage.consumers, 'consumer')}
                  {data.usage.connections === null ? '' : `, ${plural(data.usage.connections, 'connection')}`}
                </span>
              ) : null}
              {sync ? (
                <span>
                  {sync.state === 'synced'
                    ? `Claims in sync, generation ${sync.observed_generation}`
                    : sync.state === 'syncing'
                      ? `Claims on their way to the broker, generation ${sync.observed_generation} of ${sync.desired_generation}`
                      : 'Claims not in sync'}
                </span>
              ) : null}
            </>
          ) : null
        }
        actions={
          <GuardedLink needs="streams:write" look="primary" to="/accounts/$account/streams/~new" params={{ account: id }}>
            <IconPlus size={15} stroke={1.8} aria-hidden="true" />
            Create stream
          </GuardedLink>
        }
      />
      {account.error && data ? (
        <Reconnecting query={{ ...account, error: asApiError(account.error) }} />
      ) : sync?.state === 'failed' ? (
        <Note tone="fault" title="The broker does not have the newest claims of this account.">
          Since {fromNow(sync.since, now)}, generation {sync.observed_generation} of {sync.desired_generation}. {sync.last_error ?? ''} It is tried again by itself; credentials issued before keep working.
        </Note>
      ) : null}
      {account.error && !data ? <ErrorPanel what="The account could not be read" error={asApiError(account.error)} onRetry={() => void account.refetch()} /> : null}
      {streams.isPending ? <Loading what="flow" columns={['In', 'Stored', 'Out']} rows={4} /> : null}
      {streams.error && !streams.data ? (
        <ErrorPanel what="Streams could not be read" error={asApiError(streams.error)} safe="Clients that publish and subscribe are not affected by this page." onRetry={() => void streams.refetch()} />
      ) : null}
      {streams.data ? (
        list.length ? (
          <div style={{ paddingBottom: 22 }}>
            <AccountGauge account={id} streams={list} readAt={streams.dataUpdatedAt} limits={data} lags={lags} lagsAt={lagsAt} />
          </div>
        ) : (
          <Empty title="No stream yet">
            <p className="ink2">Messages go straight to whoever listens. A stream keeps them for consumers that come later.</p>
            <Command>nats stream add ORDERS --subjects "orders.&gt;" --defaults</Command>
            <GuardedLink needs="streams:write" look="primary" to="/accounts/$account/streams/~new" params={{ account: id }}>
              <IconPlus size={15} stroke={1.8} aria-hidden="true" />
              Create stream
            </GuardedLink>
          </Empty>
        )
      ) : null}
      <div className="columns">
        <div>
          <NeedsLook id={id} account={data} streams={list} consumers={consumers} />
          <Section
            title="Latest changes"
            end={
              <Link to="/accounts/$account/audit" params={{ account: id }}>
                Audit log
              </Link>
            }
          >
            {audit.isPending ? <Loading what="changes" columns={['Time', 'What', 'Who']} rows={3} /> : null}
            {audit.error && !audit.data ? <ErrorPanel what="The changes could not be read" error={asApiError(audit.error)} onRetry={() => void audit.refetch()} /> : null}
            {audit.data ? changes.length ? <AuditTable events={changes} caption="Latest changes" brief /> : <p className="ink2">Nothing changed yet.</p> : null}
          </Section>
        </div>
        <Section title="Closest to a limit">{data ? <Limits account={data} /> : null}</Section>
      </div>
    </>
  );
}
