import { IconFilter, IconPlus } from '@tabler/icons-react';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useRef } from 'react';
import { asApiError } from '../../api/error';
import { useStreams } from '../../api/queries';
import type { Stream } from '../../api/types';
import type { StreamSort, StreamsSearch } from '../../router';
import { big, bytes, count, exactBytes, exactTime, fromNow, plural, rate, shortCount } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { retentionWords, streamFinding } from '../../lib/stream-words';
import { closest } from '../../lib/subject';
import { useNow } from '../../lib/use-now';
import { useRates } from '../../lib/use-rates';
import { Command } from '../../ui/Copy';
import { ErrorPanel } from '../../ui/ErrorPanel';
import { Views } from '../../ui/Field';
import { KeysHint } from '../../ui/KeysHint';
import { PageHead } from '../../ui/Page';
import { QuorumMark } from '../../ui/QuorumMark';
import { StateMark } from '../../ui/StateMark';
import { SubjectList } from '../../ui/SubjectChip';
import { Exact } from '../../ui/Tip';
import { Empty, Loading, NoMatch, Reconnecting } from '../../ui/states';
import { useTableKeys } from '../../ui/use-table-keys';
import { useHere } from '../../frame/here';
import { GuardedLink } from '../../frame/GuardedLink';

const nameOf = (stream: Stream) => stream.name;

const VIEW: Record<NonNullable<StreamsSearch['view']>, (stream: Stream) => boolean> = {
  workqueue: (stream) => stream.retention === 'workqueue',
  idle: (stream) => stream.state.consumer_count === 0,
};

const SORT: Record<StreamSort, (a: Stream, b: Stream) => number> = {
  name: (a, b) => a.name.localeCompare(b.name),
  messages: (a, b) => Number(big(b.state.messages) - big(a.state.messages)),
  bytes: (a, b) => b.state.bytes - a.state.bytes,
  last: (a, b) => (b.state.last_time ?? '').localeCompare(a.state.last_time ?? ''),
};

function arrange(streams: readonly Stream[], search: StreamsSearch): Stream[] {
  const wanted = (search.q ?? '').toLowerCase();
  const found = streams.filter(
    (stream) =>
      (!wanted || stream.name.toLowerCase().includes(wanted) || stream.subjects.some((subject) => subject.toLowerCase().includes(wanted))) &&
      (!search.view || VIEW[search.view](stream)),
  );
  const trouble = (stream: Stream) => ['fault', 'watch'].indexOf(streamFinding(stream).state);
  return found.sort((a, b) => {
    if (search.sort && search.sort !== 'name') return SORT[search.sort](a, b);
    const left = trouble(a) < 0 ? 2 : trouble(a);
    const right = trouble(b) < 0 ? 2 : trouble(b);
    return left - right || SORT.name(a, b);
  });
}

function Head({ column, sort, onSort, children, className }: { column: StreamSort; sort: StreamSort; onSort: (column: StreamSort) => void; children: string; className?: string }) {
  const on = column === sort;
  return (
    <th className={className} {...(on ? { 'aria-sort': column === 'name' ? 'ascending' : 'descending' } : {})}>
      <button type="button" onClick={() => onSort(column)}>
        {children}
        {on ? <span aria-hidden="true">{column === 'name' ? '↑' : '↓'}</span> : null}
      </button>
    </th>
  );
}

export function StreamsPage() {
  const { account } = useParams({ from: '/accounts/$account/streams/' });
  const search = useSearch({ from: '/accounts/$account/streams/' });
  const here = useHere();
  const navigate = useNavigate();
  const { zone } = usePrefs();
  const now = useNow(5_000);
  const query = useStreams(account);
  const filter = useRef<HTMLInputElement>(null);
  const all = useMemo(() => query.data?.data ?? [], [query.data]);
  const rows = useMemo(() => arrange(all, search), [all, search]);
  const counters = useMemo(() => new Map(all.map((stream) => [stream.name, big(stream.state.last_seq)])), [all]);
  const rates = useRates(`streams/${account}`, counters, query.dataUpdatedAt);
  const sort = search.sort ?? 'name';

  const setSearch = (change: Partial<StreamsSearch>) => {
    const next = { ...search, ...change };
    void navigate({
      to: '/accounts/$account/streams',
      params: { account },
      search: Object.fromEntries(Object.entries(next).filter(([, value]) => value !== undefined && value !== '')),
      replace: true,
    });
  };
  const open = useCallback(
    (stream: Stream) => void navigate({ to: '/accounts/$account/streams/$stream', params: { account, stream: stream.name } }),
    [navigate, account],
  );
  const active = useTableKeys({ rows, id: nameOf, onOpen: open, copy: nameOf, filter });

  const totals = all.reduce((sum, stream) => ({ messages: sum.messages + big(stream.state.messages), bytes: sum.bytes + BigInt(stream.state.bytes) }), { messages: 0n, bytes: 0n });
  const stale = Boolean(query.error && query.data);

  return (
    <>
      <PageHead
        tab="Streams"
        title="Streams"
        facts={
          query.data ? (
            <span>
              {plural(all.length, 'stream')}, {shortCount(totals.messages)} messages, {bytes(totals.bytes)} stored
            </span>
          ) : null
        }
        actions={
          <GuardedLink needs="streams:write" look="primary" to="/accounts/$account/streams/~new" params={{ account }}>
            <IconPlus size={15} stroke={1.8} aria-hidden="true" />
            Create stream
          </GuardedLink>
        }
      />
      {stale ? <Reconnecting query={{ ...query, error: asApiError(query.error) }} /> : null}
      {query.isPending ? <Loading what={`streams of ${here.account.name}`} columns={['Name', 'Subjects', 'Messages', 'Size']} /> : null}
      {query.error && !query.data ? (
        <ErrorPanel
          what="Streams could not be read"
          error={asApiError(query.error)}
          safe="The streams themselves are not affected by this page: clients go on publishing and consuming if the broker is up."
          onRetry={() => void query.refetch()}
        />
      ) : null}
      {query.data && all.length === 0 ? (
        <Empty title="No stream yet">
          <p className="ink2">
            A stream keeps what is published on its subjects until you say otherwise. Messages on subjects without a stream go to whoever listens now, and are gone.
          </p>
          <Command>nats stream add ORDERS --subjects "orders.&gt;" --defaults</Command>
          <GuardedLink needs="streams:write" look="primary" to="/accounts/$account/streams/~new" params={{ account }}>
            <IconPlus size={15} stroke={1.8} aria-hidden="true" />
            Create stream
          </GuardedLink>
        </Empty>
      ) : null}
      {all.length > 0 ? (
        <>
          <div className="toolbar">
            <label className="input quiet fill" style={{ width: 250 }}>
              <IconFilter size={15} stroke={1.6} aria-hidden="true" />
              <span className="vh">Filter streams</span>
              <input ref={filter} placeholder="Name or subject" value={search.q ?? ''} onChange={(event) => setSearch({ q: event.target.value })} />
            </label>
            <Views
              label="Views"
              className="to-end"
              value={search.view ?? 'all'}
              onChange={(value) => setSearch({ view: value === 'all' ? undefined : value })}
              options={[
                { value: 'all', label: `All ${all.length}` },
                { value: 'workqueue', label: `Work queues ${all.filter(VIEW.workqueue).length}` },
                { value: 'idle', label: `No consumer ${all.filter(VIEW.idle).length}` },
              ]}
            />
          </div>
          {rows.length === 0 ? (
            <NoMatch
              title={search.q && search.view ? 'No stream matches both filters' : 'No stream matches'}
              filters={[
                ...(search.q ? [{ name: 'name or subject', value: search.q, onRemove: () => setSearch({ q: undefined }) }] : []),
                ...(search.view ? [{ name: 'view', value: search.view === 'idle' ? 'no consumer' : 'work queues', onRemove: () => setSearch({ view: undefined }) }] : []),
              ]}
              onClear={() => setSearch({ q: undefined, view: undefined })}
            >
              {plural(all.length, 'stream')} in this account.{' '}
              {search.q && closest(search.q, all.map(nameOf)) ? (
                <>
                  Closest name:{' '}
                  <Link to="/accounts/$account/streams/$stream" params={{ account, stream: closest(search.q, all.map(nameOf)) ?? '' }} className="mono">
                    {closest(search.q, all.map(nameOf))}
                  </Link>
                  .
                </>
              ) : null}
            </NoMatch>
          ) : (
            <table className={stale ? 'sticky pick stale-values' : 'sticky pick'}>
              <caption className="vh">Streams in {here.account.name}</caption>
              <thead>
                <tr>
                  <Head column="name" sort={sort} onSort={(column) => setSearch({ sort: column === 'name' ? undefined : column })}>
                    Name
                  </Head>
                  <th className="from-desk">Subjects</th>
                  <th className="from-desk from-wide">Retention</th>
                  <Head column="messages" sort={sort} onSort={(column) => setSearch({ sort: column })} className="num">
                    Messages
                  </Head>
                  <Head column="bytes" sort={sort} onSort={(column) => setSearch({ sort: column })} className="num from-desk">
                    Size
                  </Head>
                  <th className="num from-desk">In</th>
                  <th className="num from-desk from-1060">Consumers</th>
                  <th className="from-desk">Replicas</th>
                  <Head column="last" sort={sort} onSort={(column) => setSearch({ sort: column })} className="num from-desk from-wide">
                    Last in
                  </Head>
                </tr>
              </thead>
              <tbody>
                {rows.map((stream) => {
                  const finding = streamFinding(stream);
                  const measured = rates(stream.name);
                  return (
                    <tr key={stream.name} id={`row-${stream.name}`} className={active === stream.name ? 'at-keys' : undefined} onClick={() => open(stream)}>
                      <td>
                        <span className="line">
                          <StateMark state={stale ? 'stale' : finding.state} hidden={stale ? 'Old value' : finding.word} />
                          <Link
                            className="resource"
                            to="/accounts/$account/streams/$stream"
                            params={{ account, stream: stream.name }}
                            onClick={(event) => event.stopPropagation()}
                          >
                            {stream.name}
                          </Link>
                        </span>
                        <div className="only-phone tiny ink3" style={{ paddingLeft: 18 }}>
                          {bytes(stream.state.bytes)}
                          {measured === null ? '' : `, ${rate(measured)} in`}
                        </div>
                      </td>
                      <td className="from-desk">
                        {stream.mirror ? (
                          <span className="ink2">
                            mirror of <span className="mono">{stream.mirror.name}</span>
                          </span>
                        ) : (
                          <SubjectList subjects={stream.subjects} />
                        )}
                      </td>
                      <td className="ink2 nowrap from-desk from-wide">{retentionWords(stream)}</td>
                      <td className={stream.state.messages === '0' ? 'num ink3' : 'num'}>
                        {count(stream.state.messages)}
                        <div className="only-phone">
                          <QuorumMark replicas={stream.num_replicas} cluster={stream.cluster} />
                        </div>
                      </td>
                      <td className="num from-desk">
                        <Exact value={bytes(stream.state.bytes)} exact={exactBytes(stream.state.bytes)} className={stream.state.bytes === 0 ? 'ink3' : ''} />
                      </td>
                      <td className={measured ? 'num from-desk' : 'num from-desk ink3'} title={measured === null ? 'Measured after the second read' : 'Measured over the last 30 s'}>
                        {measured === null ? '–' : rate(measured)}
                      </td>
                      <td className={stream.state.consumer_count === 0 ? 'num ink3 from-desk from-1060' : 'num from-desk from-1060'}>{count(stream.state.consumer_count)}</td>
                      <td className="from-desk">
                        <QuorumMark replicas={stream.num_replicas} cluster={stream.cluster} />
                      </td>
                      <td className="num ink3 from-desk from-wide">
                        {stream.state.last_time && stream.state.last_seq !== '0' ? (
                          <Exact value={fromNow(stream.state.last_time, now)} exact={exactTime(stream.state.last_time, zone)} />
                        ) : (
                          'never'
                        )}
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          )}
          <div className="table-foot">
            <span>
              {rows.length} of {all.length}
              {query.data?.page.next ? ' read; the account has more than the 500 shown' : ''}
            </span>
            <KeysHint copies="name" />
          </div>
        </>
      ) : null}
    </>
  );
}
