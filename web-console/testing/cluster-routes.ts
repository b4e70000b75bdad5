import type { Answer } from './call';
import type { TestingState } from './seed';
import { quorum } from '../src/lib/quorum';

/** Where the streams live, made from what each of them tells. */
export function clusterOf(state: TestingState): Answer {
  const nodes = new Map<string, { leaders: number; replicas: number; state: 'serving' | 'lagging' | 'gone' }>();
  const groups = new Map<string, { name: string | null; size: number; cluster: unknown; margin: number | null; streams: string[] }>();
  const at = (name: string) => {
    const found = nodes.get(name) ?? { leaders: 0, replicas: 0, state: 'serving' as const };
    nodes.set(name, found);
    return found;
  };
  for (const { stream } of state.streams.values()) {
    const { cluster } = stream;
    const found = quorum(stream.num_replicas, cluster);
    const key = cluster?.raft_group ?? `R${stream.num_replicas}`;
    const group = groups.get(key) ?? { name: cluster?.raft_group ?? null, size: stream.num_replicas, cluster, margin: found.state === 'solo' ? null : found.state === 'lost' ? -1 : found.margin, streams: [] };
    group.streams.push(stream.name);
    groups.set(key, group);
    for (const replica of found.replicas) {
      const node = at(replica.name);
      node.replicas += 1;
      if (replica.state === 'leader') node.leaders += 1;
      if (replica.state === 'behind' && node.state === 'serving') node.state = 'lagging';
      if (replica.state === 'lost') node.state = 'gone';
    }
  }
  const zone = (name: string) => /^eu-([a-z])-/.exec(name)?.[1] ?? null;
  return [
    200,
    {
      name: [...state.streams.values()].find(({ stream }) => stream.cluster?.name)?.stream.cluster?.name ?? null,
      nodes: [...nodes].map(([name, node]) => ({ name, zone: zone(name), version: node.state === 'gone' ? null : '2.15.3', ...node })).sort((a, b) => a.name.localeCompare(b.name)),
      groups: [...groups.values()].map((group) => ({ ...group, streams: group.streams.sort() })).sort((a, b) => (a.margin ?? 9) - (b.margin ?? 9)),
    },
  ];
}
