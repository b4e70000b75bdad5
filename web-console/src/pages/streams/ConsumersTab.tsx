import { IconPlus } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { asApiError } from '../../api/error';
import { useConsumers } from '../../api/queries';
import type { Consumer, Stream } from '../../api/types';
import { big, count, exactTime, fromNow, rate, share } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { consumerFinding, filtersOf, worstFirst } from '../../lib/stream-words';
import { useNow } from '../../lib/use-now';
import { useRates } from '../../lib/use-rates';
import { GuardedLink } from '../../frame/GuardedLink';
import { Command } from '../../ui/Copy';
import { ErrorPanel } from '../../ui/ErrorPanel';
import { KeysHint } from '../../ui/KeysHint';
import { LevelTube } from '../../ui/LevelTube';
import { StateMark } from '../../ui/StateMark';
import { SubjectList } from '../../ui/SubjectChip';
import { Exact } from '../../ui/Tip';
import { Empty, Loading } from '../../ui/states';
import { useTableKeys } from '../../ui/use-table-keys';

const nameOf = (consumer: Consumer) => consumer.name;

export function ConsumersTab({ account, stream }: { account: string; stream: Stream }) {
  const navigate = useNavigate();
  const { zone } = usePrefs();
  const now = useNow(5_000);
  const query = useConsumers(account, stream.name);
  const rows = useMemo(() => [...(query.data ?? [])].sort(worstFirst), [query.data]);
  const counters = useMemo(() => new Map(rows.map((consumer) => [consumer.name, big(consumer.delivered.consumer_seq)])), [rows]);
  const rates = useRates(`consumers/${account}/${stream.name}`, counters, query.dataUpdatedAt);
  const open = useCallback(
    (consumer: Consumer) =>
      void navigate({ to: '/accounts/$account/streams/$stream/consumers/$consumer', params: { account, stream: stream.name, consumer: consumer.name } }),
    [navigate, account, stream.name],
  );
  const active = useTableKeys({ rows, id: nameOf, onOpen: open, copy: nameOf });
  const create = (
    <GuardedLink needs="consumers:write" look="primary" to="/accounts/$account/streams/$stream/consumers/~new" params={{ account, stream: stream.name }}>
      <IconPlus size={15} stroke={1.8} aria-hidden="true" />
      Create consumer
    </GuardedLink>
  );

  if (query.isPending) return <Loading what={`consumers of ${stream.name}`} columns={['Name', 'Filter', 'Behind', 'Out for ack']} rows={4} />;
  if (query.error && !query.data) return <ErrorPanel what="Consumers could not be read" error={asApiError(query.error)} onRetry={() => void query.refetch()} />;
  if (rows.length === 0) {
    return (
      <Empty title="No consumer yet">
        <p className="ink2">A consumer remembers how far a group of clients has read. The stream keeps filling without one.</p>
        <Command>{`nats consumer add ${stream.name} worker --pull --ack=explicit --defaults`}</Command>
        {create}
      </Empty>
    );
  }
  return (
    <>
      <div className="toolbar" style={{ marginTop: 12 }}>
        <span className="small ink3">Trouble first, then furthest behind</span>
        <span className="to-end">{create}</span>
      </div>
      <table className="pick">
        <caption className="vh">Consumers of {stream.name}</caption>
        <thead>
          <tr>
            <th>Name</th>
            <th className="from-desk">Filter</th>
            <th className="from-desk from-wide">Kind</th>
            <th className="num from-desk">Out</th>
            <th className="num">Behind</th>
            <th className="from-desk" style={{ width: 78 }}>
              <span className="vh">Share of the stream not yet delivered</span>
            </th>
            <th className="num">Out for ack</th>
            <th className="num from-desk">Redelivered</th>
            <th className="num from-desk from-1060">Waiting pulls</th>
            <th className="num from-desk from-wide">Last delivered</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((consumer) => {
            const finding = consumerFinding(consumer);
            const measured = rates(consumer.name);
            return (
              <tr key={consumer.name} id={`row-${consumer.name}`} className={active === consumer.name ? 'at-keys' : undefined} onClick={() => open(consumer)}>
                <td>
                  <span className="line">
                    <StateMark state={finding.state} hidden={finding.word} />
                    <Link
                      className="resource"
                      to="/accounts/$account/streams/$stream/consumers/$consumer"
                      params={{ account, stream: stream.name, consumer: consumer.name }}
                      onClick={(event) => event.stopPropagation()}
                    >
                      {consumer.name}
                    </Link>
                  </span>
                </td>
                <td className="from-desk">{filtersOf(consumer).length ? <SubjectList subjects={filtersOf(consumer)} /> : <span className="ink3">all subjects</span>}</td>
                <td className="ink2 from-desk from-wide">
                  {consumer.type}, {consumer.ack_policy === 'none' ? 'no ack' : `${consumer.ack_policy} ack`}
                </td>
                <td className={measured ? 'num from-desk' : 'num ink3 from-desk'}>{measured === null ? '–' : rate(measured)}</td>
                <td className={consumer.num_pending === '0' ? 'num ink3' : 'num'}>{count(consumer.num_pending)}</td>
                <td className="from-desk">
                  <LevelTube thin percent={share(consumer.num_pending, stream.state.messages) ?? 0} tone={finding.state === 'watch' ? 'watch' : finding.state === 'held' ? 'held' : 'water'} title={`${count(consumer.num_pending)} of ${count(stream.state.messages)} not yet delivered`} />
                </td>
                <td className={consumer.num_ack_pending === 0 ? 'num ink3' : 'num'}>{count(consumer.num_ack_pending)}</td>
                <td className={consumer.num_redelivered === 0 ? 'num ink3 from-desk' : 'num from-desk'}>{count(consumer.num_redelivered)}</td>
                <td className={consumer.num_waiting === 0 ? 'num ink3 from-desk from-1060' : 'num from-desk from-1060'}>{count(consumer.num_waiting)}</td>
                <td className="num ink3 from-desk from-wide">
                  {consumer.delivered.last_active ? (
                    <Exact value={fromNow(consumer.delivered.last_active, now)} exact={exactTime(consumer.delivered.last_active, zone)} />
                  ) : (
                    'never'
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <div className="table-foot">
        <KeysHint copies="name" filters={false} />
      </div>
    </>
  );
}
