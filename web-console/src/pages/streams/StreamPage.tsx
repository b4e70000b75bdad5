import { Menu } from '@mantine/core';
import { IconPencil, IconTrash, IconWashDrycleanOff } from '@tabler/icons-react';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { useQuery } from '../../api/use-query';
import { api, dryBody, newIdempotencyKey } from '../../api/client';
import { asApiError } from '../../api/error';
import { useRefresh, useStream } from '../../api/queries';
import { useCluster } from '../../api/resources';
import type { Stream } from '../../api/types';
import type { StreamSearch } from '../../router';
import { streamAddCommand } from '../../lib/code-tabs';
import { bytes, count, dateTime } from '../../lib/format';
import { usePrefs } from '../../lib/prefs';
import { briefConfig, fromStream } from '../../lib/stream-model';
import { quorum } from '../../lib/quorum';
import { keepsWords, streamFinding } from '../../lib/stream-words';
import { useDenied } from '../../frame/permissions';
import { GuardedLink } from '../../frame/GuardedLink';
import { ButtonLink } from '../../ui/Button';
import { TabList } from '../../ui/Code';
import { CopyButton } from '../../ui/Copy';
import { DangerDialog } from '../../ui/DangerDialog';
import { ErrorLine, ErrorPanel } from '../../ui/ErrorPanel';
import { MoreActions } from '../../ui/MoreActions';
import { PageHead, Section } from '../../ui/Page';
import { QuorumMark } from '../../ui/QuorumMark';
import { ZoneVessels } from '../../ui/ZoneVessels';
import { CopyTerraform } from '../../ui/Terraform';
import { StateMark } from '../../ui/StateMark';
import { SubjectList } from '../../ui/SubjectChip';
import { Loading, Note, Reconnecting } from '../../ui/states';
import { noteDone } from '../../ui/done-notes';
import { ConfigTab } from './ConfigTab';
import { ConsumersTab } from './ConsumersTab';
import { HistoryTab } from './HistoryTab';
import { MessagesTab } from './MessagesTab';
import { PurgeDialog } from './PurgeDialog';
import { StreamGauge } from './StreamGauge';
import { SubjectsTab } from './SubjectsTab';

const TABS = { Messages: undefined, Consumers: 'consumers', Subjects: 'subjects', Config: 'config', History: 'history' } as const;
type TabName = keyof typeof TABS;

export function StreamPage() {
  const { account, stream: name } = useParams({ from: '/accounts/$account/streams/$stream/' });
  const search = useSearch({ from: '/accounts/$account/streams/$stream/' });
  const query = useStream(account, name);
  if (query.isPending) return <Loading what={`stream ${name}`} columns={['In', 'Stored', 'Consumers']} rows={4} />;
  if (!query.data) {
    const error = asApiError(query.error);
    return error.status === 404 ? <NoStream account={account} name={name} /> : <ErrorPanel page what={`Stream ${name} could not be read`} error={error} onRetry={() => void query.refetch()} />;
  }
  return (
    <>
      {query.error ? <Reconnecting query={{ ...query, error: asApiError(query.error) }} /> : null}
      <Detail account={account} stream={query.data} readAt={query.dataUpdatedAt} search={search} stale={Boolean(query.error)} />
    </>
  );
}

function NoStream({ account, name }: { account: string; name: string }) {
  return (
    <div className="placard">
      <h1 className="h2">
        No stream <span className="mono break">{name}</span> in this account
      </h1>
      <p className="ink2">It may have been deleted, or the name is written in another case: stream names tell A from a.</p>
      <ButtonLink look="primary" to="/accounts/$account/streams" params={{ account }}>
        All streams
      </ButtonLink>
    </div>
  );
}

/** What the deletion would take, and until when it can be taken back. */
function useDeleteImpact(account: string, stream: Stream, asked: boolean) {
  return useQuery({
    queryKey: ['delete-impact', account, stream.name, stream.etag],
    enabled: asked,
    staleTime: 0,
    queryFn: async () =>
      dryBody(
        await api.DELETE('/v1/accounts/{account}/streams/{stream}', {
          params: { path: { account, stream: stream.name }, header: { 'If-Match': stream.etag }, query: { dry_run: true } },
        }),
      ),
  });
}

export async function restoreStream(account: string, stream: string): Promise<void> {
  await api.POST('/v1/accounts/{account}/streams/{stream}/actions/restore', {
    params: { path: { account, stream }, header: { 'Idempotency-Key': newIdempotencyKey() } },
  });
}

interface DetailProps {
  account: string;
  stream: Stream;
  readAt: number;
  search: StreamSearch;
  stale: boolean;
}

function Detail({ account, stream, readAt, search, stale }: DetailProps) {
  const navigate = useNavigate();
  const refresh = useRefresh();
  const id = useId();
  const [dialog, setDialog] = useState<'purge' | 'delete' | null>(null);
  const finding = streamFinding(stream);
  const tab = (Object.keys(TABS) as TabName[]).find((key) => TABS[key] === search.tab) ?? 'Messages';
  const name = stream.name;
  const { zone } = usePrefs();
  const no = useDenied('streams:write');
  const noPurge = stream.deny_purge ? 'Purging is forbidden by its configuration' : null;
  const impact = useDeleteImpact(account, stream, dialog === 'delete');
  const replicas = quorum(stream.num_replicas, stream.cluster);
  const cluster = useCluster(account, replicas.replicas.length > 1);
  const until = impact.data?.restorable_until ?? null;

  return (
    <>
      <PageHead
        tab={name}
        title={
          <>
            <span className="mono">{name}</span>
            {stale ? <StateMark state="stale">Old values</StateMark> : finding.state === 'steady' ? null : <StateMark state={finding.state}>{finding.word}</StateMark>}
          </>
        }
        facts={
          <>
            <SubjectList subjects={stream.subjects} most={3} />
            <span>{keepsWords(stream)}</span>
            <span className="line">
              {stream.storage === 'file' ? 'File' : 'Memory'} storage <QuorumMark replicas={stream.num_replicas} cluster={stream.cluster} />
            </span>
            {stream.description ? <span>{stream.description}</span> : null}
          </>
        }
        actions={
          <>
            <CopyAs stream={stream} />
            <CopyTerraform kind="stream" object={stream} what={`stream ${name}`} />
            <GuardedLink needs="streams:write" to="/accounts/$account/streams/$stream/edit" params={{ account, stream: name }}>
              <IconPencil size={15} stroke={1.6} aria-hidden="true" />
              Edit
            </GuardedLink>
            <MoreActions what="purge, delete" blocked={no}>
              <Menu.Item
                className="menu-item danger"
                data-autofocus={noPurge ? undefined : true}
                disabled={noPurge !== null}
                onClick={() => setDialog('purge')}
                leftSection={<IconWashDrycleanOff size={16} stroke={1.6} aria-hidden="true" />}
              >
                {noPurge ?? 'Purge stream'}
              </Menu.Item>
              <Menu.Item className="menu-item danger" data-autofocus={noPurge ? true : undefined} onClick={() => setDialog('delete')} leftSection={<IconTrash size={16} stroke={1.6} aria-hidden="true" />}>
                Delete stream
              </Menu.Item>
            </MoreActions>
          </>
        }
      />
      {replicas.state === 'lost' && !stale ? (
        <Note tone="fault" title={`Writing to ${name} is refused: ${replicas.means}`}>
          Writes go on once a majority of its nodes is back. The page shows what was known last.
        </Note>
      ) : finding.state === 'fault' && !stale ? (
        <Note tone="fault" title={`Publishing to ${name} is refused.`}>
          {bytes(stream.state.bytes)} in {count(stream.state.messages)} messages are all it may hold, and it refuses new ones when full. Raise the limit, purge, or let consumers work it off.
        </Note>
      ) : null}
      <div style={{ paddingBottom: 22 }}>
        <StreamGauge account={account} stream={stream} readAt={readAt} />
      </div>
      {replicas.state === 'solo' || replicas.state === 'unknown' ? null : (
        <Section
          title="Replicas"
          aside={stream.cluster?.raft_group ? <>group <span className="mono">{stream.cluster.raft_group}</span></> : null}
          end={
            <Link to="/accounts/$account/cluster" params={{ account }}>
              Cluster
            </Link>
          }
        >
          <ZoneVessels quorum={replicas} zoneOf={(node) => cluster.data?.nodes.find((entry) => entry.name === node)?.zone ?? null} />
        </Section>
      )}
      <TabList
        id={id}
        label={`Parts of ${name}`}
        names={Object.keys(TABS)}
        chosen={tab}
        counts={{ Consumers: stream.state.consumer_count, Subjects: stream.state.num_subjects }}
        onChoose={(next) =>
          void navigate({
            to: '/accounts/$account/streams/$stream',
            params: { account, stream: name },
            search: TABS[next as TabName] ? { tab: TABS[next as TabName] as NonNullable<StreamSearch['tab']> } : {},
            replace: true,
            resetScroll: false,
          })
        }
      />
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab}`}>
        {tab === 'Messages' ? <MessagesTab key={`${search.subject}/${search.seq}`} account={account} stream={stream} search={search} /> : null}
        {tab === 'Consumers' ? <ConsumersTab account={account} stream={stream} /> : null}
        {tab === 'Subjects' ? <SubjectsTab account={account} stream={stream} /> : null}
        {tab === 'Config' ? <ConfigTab account={account} stream={stream} /> : null}
        {tab === 'History' ? <HistoryTab account={account} stream={stream} /> : null}
      </div>
      <PurgeDialog account={account} stream={stream} opened={dialog === 'purge'} onClose={() => setDialog(null)} />
      <DangerDialog
        opened={dialog === 'delete'}
        onClose={() => setDialog(null)}
        act="Delete stream"
        name={name}
        impact={[
          { what: 'Messages', figure: count(impact.data?.affected.messages ?? stream.state.messages), more: bytes(impact.data?.affected.bytes ?? stream.state.bytes) },
          { what: 'Consumers that stop', figure: count(impact.data?.affected.consumers ?? stream.state.consumer_count) },
        ]}
        consequence={
          <>
            {stream.subjects.length ? `What is published on ${stream.subjects.join(', ')} is no longer kept. ` : ''}
            {impact.error ? <ErrorLine error={asApiError(impact.error)} /> : until ? `It can be restored with its messages until ${dateTime(until, zone)}, under Settings.` : 'There is no undo.'}
          </>
        }
        onConfirm={async () => {
          await api.DELETE('/v1/accounts/{account}/streams/{stream}', {
            params: { path: { account, stream: name }, header: { 'If-Match': stream.etag } },
          });
          noteDone(
            `Stream ${name} deleted.`,
            until
              ? async () => {
                  await restoreStream(account, name);
                  await refresh('streams', 'account', 'deleted-streams');
                }
              : undefined,
          );
          await navigate({ to: '/accounts/$account/streams', params: { account } });
          await refresh('streams', 'account', 'deleted-streams');
        }}
      />
    </>
  );
}

function CopyAs({ stream }: { stream: Stream }) {
  const config = briefConfig(fromStream(stream));
  return (
    <CopyButton className="copy-as" text={() => streamAddCommand(config)} what="stream as a nats command">
      Copy as command
    </CopyButton>
  );
}
