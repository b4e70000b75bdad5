import type { ClusterInfo } from '../api/types';
import { count } from './format';

export type MemberState = 'leader' | 'current' | 'behind' | 'lost';

export interface ReplicaView {
  name: string;
  state: MemberState;
  /** Entries it has yet to apply, as the leader knows it. */
  lag: string;
  /** Since the leader heard of it, as the broker's duration; null for the leader. */
  heard: string | null;
}

export interface Quorum {
  /** How many replicas there should be. */
  size: number;
  /** In the order of their names, which is that of the zones. */
  replicas: ReplicaView[];
  /** How many more of them may be lost before writes stop; negative once they have stopped. */
  margin: number;
  state: 'solo' | 'spare' | 'bare' | 'lost' | 'unknown';
  /** "+1", "0", "lost", "R1". */
  word: string;
  /** The finding as a sentence. */
  means: string;
}

/** What a stream's replicas say about how many more losses it survives. */
export function quorum(replicas: number, cluster: ClusterInfo | null | undefined): Quorum {
  const known: ReplicaView[] = [];
  if (cluster?.leader) known.push({ name: cluster.leader, state: 'leader', lag: '0', heard: null });
  for (const peer of cluster?.replicas ?? []) {
    const state = peer.offline ? 'lost' : peer.current ? 'current' : 'behind';
    known.push({ name: peer.name, state, lag: peer.lag ?? '0', heard: peer.active ?? null });
  }
  known.sort((a, b) => a.name.localeCompare(b.name));
  const size = Math.max(replicas, known.length);
  if (size <= 1) {
    return { size: 1, replicas: known, margin: 0, state: 'solo', word: 'R1', means: 'One replica: if its node is down, the stream waits until the node is back.' };
  }
  const majority = Math.floor(size / 2) + 1;
  if (known.length === 0) {
    return { size, replicas: known, margin: 0, state: 'unknown', word: `R${size}`, means: `${size} replicas. The broker tells nothing of them here.` };
  }
  const good = known.filter((replica) => replica.state === 'leader' || replica.state === 'current').length;
  // A leader answers for its majority: a replica that only lags still counts its votes, but is no spare.
  const margin = good - majority;
  if (!cluster?.leader || size - known.filter((replica) => replica.state === 'lost').length - missing(size, known) < majority) {
    return { size, replicas: known, margin: Math.min(-1, margin), state: 'lost', word: 'lost', means: `Fewer than ${majority} of ${size} replicas are there: writes are refused, nothing acknowledged is lost.` };
  }
  if (margin <= 0) {
    return { size, replicas: known, margin: 0, state: 'bare', word: '0', means: `Writes go on, but no replica is to spare: ${whyBare(known, size)}. One more loss stops them.` };
  }
  return { size, replicas: known, margin, state: 'spare', word: `+${margin}`, means: `A write counts once ${majority} of ${size} replicas have it. ${margin === 1 ? 'One more' : `${margin} more`} may be lost and writes go on.` };
}

function missing(size: number, known: readonly ReplicaView[]): number {
  return Math.max(0, size - known.length);
}

function whyBare(known: readonly ReplicaView[], size: number): string {
  const lost = known.filter((replica) => replica.state === 'lost').map((replica) => replica.name);
  const behind = known.filter((replica) => replica.state === 'behind').map((replica) => `${replica.name} is ${count(replica.lag)} entries behind`);
  const parts = [...(lost.length ? [`${lost.join(' and ')} ${lost.length === 1 ? 'is' : 'are'} gone`] : []), ...behind];
  if (known.length < size) parts.push(`${size - known.length} of ${size} ${size - known.length === 1 ? 'has' : 'have'} no node yet`);
  return parts.join(', ') || 'there are only as many as a majority needs';
}
