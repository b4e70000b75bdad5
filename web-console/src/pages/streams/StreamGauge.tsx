import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useConsumers } from '../../api/queries';
import type { Consumer, Stream } from '../../api/types';
import { big, bytes, count, fitCount, lastTime, rate, share, span } from '../../lib/format';
import { consumerFinding, fullness, worstFirst } from '../../lib/stream-words';
import { useNow } from '../../lib/use-now';
import { useRates } from '../../lib/use-rates';
import { FlowGauge, type Outlet } from '../../ui/FlowGauge';

const MOST_OUTLETS = 5;

function outletOf(consumer: Consumer, stream: Stream, measured: number | null, account: string): Outlet {
  const finding = consumerFinding(consumer);
  const behind = big(consumer.num_pending);
  return {
    key: consumer.name,
    name: (
      <Link className="resource" to="/accounts/$account/streams/$stream/consumers/$consumer" params={{ account, stream: stream.name, consumer: consumer.name }}>
        {consumer.name}
      </Link>
    ),
    valve: consumer.paused ? 'held' : 'open',
    ...(finding.state === 'steady' ? {} : { mark: { state: finding.state, word: finding.word } }),
    rate: measured,
    rateText: consumer.paused ? 'paused' : measured === null ? '–' : rate(measured),
    behind: behind === 0n ? 'up to date' : `${fitCount(behind)} behind`,
    ...(finding.state === 'watch' ? { behindTone: 'watch' as const } : finding.state === 'held' ? { behindTone: 'held' as const } : {}),
    level: share(behind, big(stream.state.messages)) ?? 0,
    levelTitle: `${count(behind)} of ${count(stream.state.messages)} kept messages not yet delivered`,
  };
}

/** What flows into a stream, what it holds, and what its consumers take. */
export function StreamGauge({ account, stream, readAt }: { account: string; stream: Stream; readAt: number }) {
  const now = useNow(5_000);
  const consumers = useConsumers(account, stream.name);
  const list = useMemo(() => [...(consumers.data ?? [])].sort(worstFirst), [consumers.data]);
  const inflow = useRates(`streams/${account}`, useMemo(() => new Map([[stream.name, big(stream.state.last_seq)]]), [stream.name, stream.state.last_seq]), readAt)(stream.name);
  const counters = useMemo(() => new Map(list.map((consumer) => [consumer.name, big(consumer.delivered.consumer_seq)])), [list]);
  const rates = useRates(`consumers/${account}/${stream.name}`, counters, consumers.dataUpdatedAt);
  const full = fullness(stream);
  const outlets = list.slice(0, list.length > MOST_OUTLETS ? MOST_OUTLETS - 1 : MOST_OUTLETS).map((consumer) => outletOf(consumer, stream, rates(consumer.name), account));
  const others = list.length - outlets.length;
  if (others > 0) {
    const furthest = list.slice(outlets.length).reduce((most, consumer) => (big(consumer.num_pending) > most ? big(consumer.num_pending) : most), 0n);
    outlets.push({
      key: 'others',
      name: (
        <Link to="/accounts/$account/streams/$stream" params={{ account, stream: stream.name }} search={{ tab: 'consumers' }}>
          {others} other consumers
        </Link>
      ),
      valve: 'open',
      rate: null,
      rateText: '',
      behind: furthest === 0n ? 'up to date' : `${fitCount(furthest)} at most`,
      level: null,
    });
  }
  const hasMessages = stream.state.messages !== '0';
  return (
    <FlowGauge
      label={`Flow of ${stream.name}: ${inflow === null ? 'rate not yet measured' : `${rate(inflow)} in`}, ${bytes(stream.state.bytes)} stored, ${list.length} consumers`}
      inflow={{
        rate: inflow,
        reading:
          inflow === null ? (
            <span className="ink3">–</span>
          ) : (
            <>
              {rate(inflow).replace(/\/.*/, '')}
              <span className="unit">msg/{rate(inflow).endsWith('min') ? 'min' : 's'}</span>
            </>
          ),
        facts:
          inflow === null ? 'measured from the second read on' : stream.state.last_time && hasMessages ? lastTime(stream.state.last_time, now) : 'nothing published yet',
      }}
      tank={{
        percent: full ? full.percent : null,
        title: 'Stored',
        limits: full ? (hasMessages && stream.state.first_time ? `Oldest ${span(now - Date.parse(stream.state.first_time))}` : 'Empty') : 'No limit of its own on size or count',
        reading: bytes(stream.state.bytes),
        facts: (
          <>
            {full ? (
              <div className="small">
                {full.by === 'bytes' ? `of ${bytes(stream.max_bytes)}` : `at ${count(stream.max_msgs)} messages at most`}, {full.percent < 1 && full.percent > 0 ? 'under 1' : Math.floor(full.percent)}%
              </div>
            ) : null}
            <div className="small" style={{ marginTop: 6 }}>
              <span className="bold">{count(stream.state.messages)}</span> messages
            </div>
            {hasMessages ? (
              <div className="tiny mono">
                {count(stream.state.first_seq)} to {count(stream.state.last_seq)}
              </div>
            ) : null}
          </>
        ),
      }}
      outlets={outlets}
      outletHead="Consumer"
      noOutlets={
        consumers.isPending ? 'Reading consumers' : (
          <>
            No consumer takes from this stream.{' '}
            <Link to="/accounts/$account/streams/$stream/consumers/~new" params={{ account, stream: stream.name }}>
              Create consumer
            </Link>
          </>
        )
      }
    />
  );
}
