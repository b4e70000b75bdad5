import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useCluster } from '../../api/resources';
import type { Cluster, ClusterGroup, ClusterNode } from '../../api/types';
import { count, plural } from '../../lib/format';
import { byZone, nodeWords, zoneWords } from '../../lib/cluster';
import { quorum } from '../../lib/quorum';
import { GuardedLink } from '../../frame/GuardedLink';
import { Button } from '../../ui/Button';
import { Views } from '../../ui/Field';
import { Listing } from '../../ui/Listing';
import { PageHead, Section } from '../../ui/Page';
import { QuorumMark } from '../../ui/QuorumMark';
import { StateMark, type State } from '../../ui/StateMark';
import { Exact } from '../../ui/Tip';
import { Empty, Note } from '../../ui/states';

const STATE: Record<ClusterNode['state'], State> = { serving: 'steady', lagging: 'watch', gone: 'fault' };

export function ClusterPage() {
  const { account } = useParams({ from: '/accounts/$account/cluster' });
  const query = useCluster(account);
  return (
    <Listing
      page
      query={query}
      what="the cluster"
      columns={['Group', 'Quorum margin', 'Leader']}
      isEmpty={(cluster) => cluster.nodes.length === 0 && cluster.groups.length === 0}
      empty={
        <>
          <PageHead tab="Cluster" title="Cluster" />
          <Empty title="No stream, so no node to show">
            <p className="ink2">Here are the nodes and zones that carry this account’s streams, and how many losses each stream survives. What carries none of yours is not shown.</p>
            <GuardedLink needs="streams:write" look="primary" to="/accounts/$account/streams/~new" params={{ account }}>
              Create stream
            </GuardedLink>
          </Empty>
        </>
      }
    >
      {(cluster) => <Detail account={account} cluster={cluster} />}
    </Listing>
  );
}

function Detail({ account, cluster }: { account: string; cluster: Cluster }) {
  const zones = byZone(cluster.nodes);
  const gone = cluster.nodes.filter((node) => node.state === 'gone');
  const lost = cluster.groups.filter((group) => group.margin === -1);
  const bare = cluster.groups.filter((group) => group.margin === 0);
  const streams = (groups: readonly ClusterGroup[]) => groups.reduce((sum, group) => sum + group.streams.length, 0);
  return (
    <>
      <PageHead
        tab="Cluster"
        title={
          <>
            <span>Cluster {cluster.name ? <span className="mono">{cluster.name}</span> : null}</span>
            {lost.length ? (
              <StateMark state="fault">{plural(streams(lost), 'stream')} without quorum</StateMark>
            ) : gone.length ? (
              <StateMark state="watch">{plural(gone.length, 'node')} gone</StateMark>
            ) : null}
          </>
        }
        facts={
          <>
            <span>
              {plural(cluster.nodes.length, 'node')} {zones.some((zone) => zone.name !== null) ? `in ${plural(zones.length, 'zone')}` : ''} {cluster.nodes.length === 1 ? 'carries' : 'carry'} your streams
            </span>
            <span>{plural(cluster.groups.length, 'group')}</span>
          </>
        }
      />
      {lost.length ? (
        <Note tone="fault" title={`${plural(streams(lost), 'stream')} cannot be written: fewer than a majority of the replicas are there.`}>
          Nothing that was acknowledged is lost. Writes go on once a majority is back; clients that publish get no answer until then.
        </Note>
      ) : bare.length ? (
        <Note tone="watch" title={`No replica to spare for ${plural(streams(bare), 'stream')}.`}>
          Writes go on. One more loss stops them until a node is back{gone.length ? `: ${gone.map((node) => node.name).join(', ')} ${gone.length === 1 ? 'is' : 'are'} gone` : ' or a replica has caught up'}.
        </Note>
      ) : null}
      <section aria-labelledby="zones-title" style={{ padding: '6px 0 24px' }}>
        <h2 className="vh" id="zones-title">
          Nodes by zone
        </h2>
        <div className="zones" style={{ gridTemplateColumns: `repeat(${Math.min(zones.length, 4)}, minmax(0, 1fr))` }}>
          {zones.map((zone) => (
            <div className="zone" key={zone.name ?? ''}>
              <h3>
                {zone.name === null ? 'no zone told' : 'zone'} {zone.name === null ? null : <b>{zone.name}</b>}
                <span className="to-end from-desk">{zoneWords(zone.nodes)}</span>
              </h3>
              <ul className="stack" style={{ gap: 10 }}>
                {zone.nodes.map((node) => (
                  <li key={node.name} className={`replica-node ${node.state}`}>
                    <div className="line wrap node-head">
                      <span className="who">{node.name}</span>
                      <span className="to-end">
                        <StateMark state={STATE[node.state]}>{node.state === 'gone' ? 'gone' : node.state === 'lagging' ? 'behind' : 'serving'}</StateMark>
                      </span>
                    </div>
                    <span className="ink2">{nodeWords(node)}</span>
                    {node.version ? <span className="ink3 from-desk">server {node.version}</span> : null}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </section>
      <Groups account={account} groups={cluster.groups} />
      <Section title="How to read quorum margin">
        <div className="legend">
          {LEGEND.map((entry) => (
            <div key={entry.text}>
              <QuorumMark replicas={entry.replicas} cluster={entry.cluster} />
              <p className="small ink2">{entry.text}</p>
            </div>
          ))}
        </div>
      </Section>
    </>
  );
}

const peer = (name: string, state: 'current' | 'behind' | 'lost') => ({ name, current: state === 'current', offline: state === 'lost', active: '0s', lag: state === 'behind' ? '1204' : '0' });
const led = (b: Parameters<typeof peer>[1], c: Parameters<typeof peer>[1]) => ({ name: null, leader: 'a', raft_group: null, replicas: [peer('b', b), peer('c', c)] });
const LEGEND = [
  { replicas: 3, cluster: led('current', 'current'), text: 'The leader in a, the others in step. One may fail.' },
  { replicas: 3, cluster: led('behind', 'current'), text: 'b catches up. Writes go on, but a second loss would stop them.' },
  { replicas: 3, cluster: led('lost', 'lost'), text: 'Two are gone. Writes are refused until one is back.' },
  { replicas: 1, cluster: null, text: 'One replica. Its node down means the stream is down.' },
];

function Groups({ account, groups }: { account: string; groups: readonly ClusterGroup[] }) {
  const [view, setView] = useState<'all' | 'bare'>('all');
  const [open, setOpen] = useState<string | null>(null);
  const bare = groups.filter((group) => group.margin !== null && group.margin <= 0);
  const rows = view === 'bare' ? bare : groups;
  return (
    <Section
      title="Groups"
      aside="streams of one group share their replicas"
      end={
        <Views
          label="Filter groups"
          value={view}
          onChange={setView}
          options={[
            { value: 'all', label: `All ${groups.length}` },
            { value: 'bare', label: `No spare ${bare.length}` },
          ]}
        />
      }
    >
      {rows.length === 0 ? (
        <p className="small ink3">Every group has a replica to spare, or one replica by choice.</p>
      ) : (
        <table>
          <caption className="vh">Groups</caption>
          <thead>
            <tr>
              <th>Streams</th>
              <th>Quorum margin</th>
              <th className="from-desk">Leader</th>
              <th className="from-desk from-1060">Group</th>
              <th className="num from-desk">Furthest replica</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((group) => {
              const id = group.name ?? group.streams[0] ?? '';
              const found = quorum(group.size, group.cluster);
              const furthest = found.replicas.reduce((most, replica) => (BigInt(replica.lag) > most ? BigInt(replica.lag) : most), 0n);
              const shown = open === id ? group.streams : group.streams.slice(0, 2);
              return (
                <tr key={id}>
                  <td>
                    <span className="line wrap list-of">
                      {shown.map((stream) => (
                        <span key={stream}>
                          <Link className="resource" to="/accounts/$account/streams/$stream" params={{ account, stream }}>
                            {stream}
                          </Link>
                        </span>
                      ))}
                      {group.streams.length > 2 ? (
                        <Button size="compact" look="ghost" aria-expanded={open === id} aria-label={open === id ? 'Show fewer streams' : `Show all ${group.streams.length} streams`} onClick={() => setOpen(open === id ? null : id)}>
                          {open === id ? 'fewer' : `+${group.streams.length - 2}`}
                        </Button>
                      ) : null}
                    </span>
                  </td>
                  <td>
                    <QuorumMark replicas={group.size} cluster={group.cluster} />
                  </td>
                  <td className="mono from-desk">{group.cluster?.leader ?? <span className="ink3">{found.state === 'solo' ? <Exact value="–" exact="with one replica there is nothing to elect" /> : 'none'}</span>}</td>
                  <td className="mono ink2 from-desk from-1060">{group.name ?? <span className="ink3">–</span>}</td>
                  <td className="num from-desk">
                    {found.state === 'solo' || found.state === 'lost' ? (
                      <span className="ink3">{found.state === 'lost' ? <Exact value="–" exact="without a leader nobody counts" /> : 'only one'}</span>
                    ) : furthest === 0n ? <span className="ink3">in step</span> : <StateMark state="watch">{count(furthest)} entries</StateMark>}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Section>
  );
}
