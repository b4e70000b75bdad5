import { Menu } from '@mantine/core';
import { IconArrowBarToRight, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useQuery } from '../../api/use-query';
import { api, dryBody } from '../../api/client';
import { asApiError } from '../../api/error';
import { useConsumer, useRefresh, useStream } from '../../api/queries';
import type { Consumer, Stream } from '../../api/types';
import { configValue } from '../../lib/config-words';
import { durationShort, parseDuration } from '../../lib/duration';
import { big, count, dateTime, exactTime, fromNow, lastTime, rate, span } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { atAckLimit, consumerFinding, filtersOf } from '../../lib/stream-words';
import { timeline } from '../../lib/timeline';
import { useNow } from '../../lib/use-now';
import { useRates } from '../../lib/use-rates';
import { useDenied } from '../../frame/permissions';
import { GuardedLink } from '../../frame/GuardedLink';
import { Button, ButtonLink } from '../../ui/Button';
import { Command } from '../../ui/Copy';
import { DangerDialog } from '../../ui/DangerDialog';
import { ErrorPanel } from '../../ui/ErrorPanel';
import { MoreActions } from '../../ui/MoreActions';
import { PageHead, Section } from '../../ui/Page';
import { SeqTimeline } from '../../ui/SeqTimeline';
import { CopyTerraform } from '../../ui/Terraform';
import { StateMark } from '../../ui/StateMark';
import { SubjectList } from '../../ui/SubjectChip';
import { Loading, Note, Reconnecting } from '../../ui/states';
import { noteDone } from '../../ui/done-notes';
import { PauseDialog, resume } from './PauseDialog';
import { ResetDialog } from './ResetDialog';

const SETTINGS: [keyof Consumer, string][] = [
  ['deliver_policy', 'Deliver'],
  ['opt_start_seq', 'Start sequence'],
  ['ack_policy', 'Acknowledgement'],
  ['ack_wait', 'Ack wait'],
  ['backoff', 'Backoff'],
  ['max_deliver', 'Max deliveries'],
  ['max_ack_pending', 'Max ack pending'],
  ['max_waiting', 'Max waiting pulls'],
  ['max_batch', 'Max batch'],
  ['max_expires', 'Max pull wait'],
  ['replay_policy', 'Replay'],
  ['headers_only', 'Headers only'],
  ['inactive_threshold', 'Removed when idle for'],
  ['deliver_subject', 'Delivers to'],
  ['deliver_group', 'Queue group'],
  ['idle_heartbeat', 'Heartbeat'],
];

export function ConsumerPage() {
  const { account, stream: streamName, consumer: name } = useParams({ from: '/accounts/$account/streams/$stream/consumers/$consumer' });
  const query = useConsumer(account, streamName, name);
  const stream = useStream(account, streamName);
  if (query.isPending || stream.isPending) return <Loading what={`consumer ${name}`} columns={['Position', 'Behind', 'Out for ack']} rows={4} />;
  if (!query.data || !stream.data) {
    const error = asApiError(query.error ?? stream.error);
    if (error.status === 404) {
      return (
        <div className="placard">
          <h1 className="h2">
            No consumer <span className="mono break">{name}</span> on <span className="mono break">{streamName}</span>
          </h1>
          <p className="ink2">It may have been deleted, or was ephemeral and ended with its client.</p>
          <ButtonLink look="primary" to="/accounts/$account/streams/$stream" params={{ account, stream: streamName }} search={{ tab: 'consumers' }}>
            Consumers of {streamName}
          </ButtonLink>
        </div>
      );
    }
    return <ErrorPanel page what={`Consumer ${name} could not be read`} error={error} safe="Its clients are not affected by this page." onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      {query.error ? <Reconnecting query={{ ...query, error: asApiError(query.error) }} /> : null}
      <Detail account={account} consumer={query.data} stream={stream.data} readAt={query.dataUpdatedAt} streamReadAt={stream.dataUpdatedAt} stale={Boolean(query.error)} />
    </>
  );
}

/** What the broker would stop, asked when the dialog opens; until it answers, what the page knows. */
function useDeleteImpact(account: string, consumer: Consumer, asked: boolean): Pick<Consumer, 'num_pending' | 'num_ack_pending' | 'num_waiting'> {
  const query = useQuery({
    queryKey: ['delete-impact', account, consumer.stream_name, consumer.name, consumer.etag],
    enabled: asked,
    staleTime: 0,
    queryFn: async () =>
      dryBody(
        await api.DELETE('/v1/accounts/{account}/streams/{stream}/consumers/{consumer}', {
          params: { path: { account, stream: consumer.stream_name, consumer: consumer.name }, header: { 'If-Match': consumer.etag }, query: { dry_run: true } },
        }),
      ).affected,
  });
  return query.data ?? consumer;
}

interface Props {
  account: string;
  consumer: Consumer;
  stream: Stream;
  readAt: number;
  streamReadAt: number;
  stale: boolean;
}

function Detail({ account, consumer, stream, readAt, streamReadAt, stale }: Props) {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const { zone } = usePrefs();
  const now = useNow(2_000);
  const [dialog, setDialog] = useState<'pause' | 'reset' | 'delete' | null>(null);
  const no = useDenied('consumers:write');
  const [resuming, setResuming] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const finding = consumerFinding(consumer);
  const limit = atAckLimit(consumer);
  const key = `${stream.name}/${consumer.name}`;
  const rates = useRates(
    `consumer/${account}`,
    useMemo(
      () => new Map([[`${key}/out`, big(consumer.delivered.consumer_seq)], [`${key}/ack`, big(consumer.ack_floor.consumer_seq)]]),
      [key, consumer.delivered.consumer_seq, consumer.ack_floor.consumer_seq],
    ),
    readAt,
  );
  const inflow = useRates(`streams/${account}`, useMemo(() => new Map([[stream.name, big(stream.state.last_seq)]]), [stream.name, stream.state.last_seq]), streamReadAt)(stream.name);
  const out = rates(`${key}/out`);
  const acked = rates(`${key}/ack`);
  const ackFloor = consumer.ack_policy === 'none' ? consumer.delivered.stream_seq : consumer.ack_floor.stream_seq;
  const line = timeline({ firstSeq: stream.state.first_seq, lastSeq: stream.state.last_seq, ackFloor, delivered: consumer.delivered.stream_seq });
  const filters = filtersOf(consumer);
  const behind = big(consumer.num_pending);
  const empty = stream.state.last_seq === '0';
  const impact = useDeleteImpact(account, consumer, dialog === 'delete');
  const onResume = async () => {
    setResuming(true);
    setFailure(null);
    try {
      await resume(account, consumer);
      await refresh('consumer', 'consumers');
      noteDone(`Consumer ${consumer.name} resumed.`);
    } catch (error) {
      setFailure(error);
    } finally {
      setResuming(false);
    }
  };

  return (
    <>
      <PageHead
        tab={consumer.name}
        title={
          <>
            <span className="mono">{consumer.name}</span>
            {stale ? <StateMark state="stale">Old values</StateMark> : finding.state === 'steady' ? null : <StateMark state={finding.state}>{finding.word}</StateMark>}
          </>
        }
        facts={
          <>
            <span>
              {consumer.type === 'pull' ? 'Pull' : 'Push'}, {consumer.ack_policy === 'none' ? 'no ack' : `${consumer.ack_policy} ack`}, {consumer.durable_name ? 'durable' : 'ephemeral'}
            </span>
            {filters.length ? <SubjectList subjects={filters} most={3} /> : <span>all subjects</span>}
            {consumer.ack_policy === 'none' ? null : (
              <span>
                Ack wait {durationShort(consumer.ack_wait)}
                {consumer.max_deliver && consumer.max_deliver > 0 ? `, at most ${count(consumer.max_deliver)} deliveries` : ''}
              </span>
            )}
            {consumer.description ? <span>{consumer.description}</span> : null}
          </>
        }
        actions={
          <>
            <CopyTerraform kind="consumer" object={consumer} what={`consumer ${consumer.name}`} />
            <GuardedLink needs="consumers:write" to="/accounts/$account/streams/$stream/consumers/$consumer/edit" params={{ account, stream: stream.name, consumer: consumer.name }}>
              <IconPencil size={15} stroke={1.6} aria-hidden="true" />
              Edit
            </GuardedLink>
            {consumer.paused ? (
              <Button blocked={no ?? (resuming ? 'The call is under way.' : null)} onClick={onResume}>
                <IconPlayerPlay size={15} stroke={1.6} aria-hidden="true" />
                Resume
              </Button>
            ) : (
              <Button blocked={no} onClick={() => setDialog('pause')}>
                <IconPlayerPause size={15} stroke={1.6} aria-hidden="true" />
                Pause
              </Button>
            )}
            <MoreActions what="move position, delete" blocked={no}>
              <Menu.Item data-autofocus onClick={() => setDialog('reset')} leftSection={<IconArrowBarToRight size={16} stroke={1.6} aria-hidden="true" />}>
                Move position
              </Menu.Item>
              <Menu.Item className="menu-item danger" onClick={() => setDialog('delete')} leftSection={<IconTrash size={16} stroke={1.6} aria-hidden="true" />}>
                Delete consumer
              </Menu.Item>
            </MoreActions>
          </>
        }
      />
      {failure ? <ErrorPanel what="The consumer was not resumed" error={asApiError(failure)} onRetry={() => void onResume()} /> : null}
      {limit && !stale ? (
        <Note tone="watch" title={`It may hold ${count(consumer.max_ack_pending ?? 0)} messages out for ack, and all ${count(consumer.num_ack_pending)} are out.`}>
          Nothing more is delivered until one comes back.{' '}
          {consumer.ack_floor.last_active ? `Last acknowledged ${fromNow(consumer.ack_floor.last_active, now)}.` : 'Nothing has been acknowledged yet.'} Messages whose ack wait of{' '}
          {durationShort(consumer.ack_wait)} runs out are delivered again. No message is lost.
        </Note>
      ) : null}
      {consumer.paused && !stale ? (
        <Note tone="held" title={`Paused${consumer.pause_until ? ` until ${dateTime(consumer.pause_until, zone)}` : ''}.`}>
          Clients stay connected and get nothing{parseDuration(consumer.pause_remaining) ? ` for another ${span(parseDuration(consumer.pause_remaining) ?? 0)}` : ''}. The stream goes on filling.
        </Note>
      ) : null}
      <Section
        first
        title={
          <>
            Position in{' '}
            <Link to="/accounts/$account/streams/$stream" params={{ account, stream: stream.name }} className="mono">
              {stream.name}
            </Link>
          </>
        }
        aside={line.broken ? 'not to scale left of the break' : null}
        end={behind === 0n ? 'up to date' : `${count(behind)} ${filters.length ? 'matching ' : ''}messages behind`}
      >
        {empty ? (
          <p className="ink2">The stream has had no message yet.</p>
        ) : (
          <SeqTimeline
            line={line}
            pending={consumer.num_pending}
            ackPending={consumer.num_ack_pending}
            redelivered={consumer.num_redelivered}
            atLimit={limit}
            endNote={inflow ? `, moving ${rate(inflow)}` : ''}
          />
        )}
      </Section>
      <div className="columns">
        <div>
          <Section title="Now" aside="rates are measured while this page is open">
            <table>
              <caption className="vh">Figures of {consumer.name}</caption>
              <tbody>
                <tr>
                  <td className="ink2">Delivered</td>
                  <td className="num bold">{out === null ? <span className="ink3">measuring</span> : rate(out)}</td>
                  <td className="num ink3">{consumer.delivered.last_active ? lastTime(consumer.delivered.last_active, now) : 'never'}</td>
                </tr>
                {consumer.ack_policy === 'none' ? null : (
                  <tr>
                    <td className="ink2">Ack floor moves</td>
                    <td className="num bold">{acked === null ? <span className="ink3">measuring</span> : rate(acked)}</td>
                    <td className="num ink3">{consumer.ack_floor.last_active ? lastTime(consumer.ack_floor.last_active, now) : 'never'}</td>
                  </tr>
                )}
                <tr>
                  <td className="ink2">Not yet delivered</td>
                  <td className="num bold">{count(consumer.num_pending)}</td>
                  <td className="num ink3">messages</td>
                </tr>
                <tr>
                  <td className="ink2">Out for ack</td>
                  <td className="num bold">{count(consumer.num_ack_pending)}</td>
                  <td className="num ink3">{consumer.max_ack_pending && consumer.max_ack_pending > 0 ? `of ${count(consumer.max_ack_pending)}` : 'no limit'}</td>
                </tr>
                <tr>
                  <td className="ink2">Redelivered, of those out</td>
                  <td className="num bold">{count(consumer.num_redelivered)}</td>
                  <td />
                </tr>
                {consumer.type === 'pull' ? (
                  <tr>
                    <td className="ink2">Pulls that wait for messages</td>
                    <td className="num bold">{count(consumer.num_waiting)}</td>
                    <td className="num ink3">{consumer.num_waiting === 0 ? 'no client asks now' : ''}</td>
                  </tr>
                ) : null}
              </tbody>
            </table>
          </Section>
          <Section title="The same from a terminal">
            <div className="stack" style={{ maxWidth: 640 }}>
              <Command>{`nats consumer info ${stream.name} ${consumer.name}`}</Command>
              {consumer.type === 'pull' ? <Command>{`nats consumer next ${stream.name} ${consumer.name} --count 10 --ack`}</Command> : null}
            </div>
          </Section>
        </div>
        <Section title="Settings">
          <dl className="pairs">
            {SETTINGS.filter(([field]) => consumer[field] !== undefined && consumer[field] !== null && consumer[field] !== '').map(([field, label]) => (
              <div key={label} style={{ display: 'contents' }}>
                <dt>{label}</dt>
                <dd>{configValue(String(field), consumer[field])}</dd>
              </div>
            ))}
            <dt>Created</dt>
            <dd>{exactTime(consumer.created_at, zone)}</dd>
          </dl>
        </Section>
      </div>
      <PauseDialog account={account} consumer={consumer} opened={dialog === 'pause'} onClose={() => setDialog(null)} />
      <ResetDialog account={account} consumer={consumer} stream={stream} opened={dialog === 'reset'} onClose={() => setDialog(null)} />
      <DangerDialog
        opened={dialog === 'delete'}
        onClose={() => setDialog(null)}
        act="Delete consumer"
        name={consumer.name}
        impact={[
          { what: 'Messages out for ack', figure: count(impact.num_ack_pending), more: 'their acks are refused' },
          { what: 'Pulls that end', figure: count(impact.num_waiting) },
          { what: 'Not yet delivered', figure: count(impact.num_pending), more: `stay in ${stream.name}` },
        ]}
        consequence="Its place in the stream is forgotten. A new consumer of the same name starts where its settings say."
        onConfirm={async () => {
          await api.DELETE('/v1/accounts/{account}/streams/{stream}/consumers/{consumer}', {
            params: { path: { account, stream: stream.name, consumer: consumer.name }, header: { 'If-Match': consumer.etag } },
          });
          noteDone(`Consumer ${consumer.name} deleted.`);
          await navigate({ to: '/accounts/$account/streams/$stream', params: { account, stream: stream.name }, search: { tab: 'consumers' } });
          await refresh('consumers', 'stream', 'streams', 'account');
        }}
      />
    </>
  );
}
