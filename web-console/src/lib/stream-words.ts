import type { Consumer, Stream } from '../api/types';
import type { State } from '../ui/StateMark';
import { durationShort, parseDuration } from './duration';
import { big, bytes, count } from './format';
import { quorum } from './quorum';

/** "limits, 7 d", "work queue". */
export function retentionWords(stream: Stream): string {
  const age = parseDuration(stream.max_age) ? `, ${durationShort(stream.max_age)}` : '';
  if (stream.retention === 'workqueue') return `work queue${age}`;
  return `${stream.retention}${age}`;
}

/** "Keeps 7 d or 20 GB, drops the oldest first". */
export function keepsWords(stream: Stream): string {
  const bounds = [
    parseDuration(stream.max_age) ? durationShort(stream.max_age) : null,
    stream.max_bytes >= 0 ? bytes(stream.max_bytes) : null,
    stream.max_msgs >= 0 ? `${count(stream.max_msgs)} messages` : null,
  ].filter((bound) => bound !== null);
  const what =
    stream.retention === 'limits'
      ? bounds.length
        ? `Keeps ${bounds.join(' or ')}`
        : 'Keeps everything'
      : stream.retention === 'interest'
        ? 'Keeps while consumers want it'
        : 'Keeps until one worker acks';
  if (stream.max_bytes < 0 && stream.max_msgs < 0) return what;
  return `${what}, ${stream.discard === 'old' ? 'drops the oldest first' : 'refuses new ones when full'}`;
}

/** How full the stream is by the limit that acts first; null where none is set. */
export function fullness(stream: Stream): { percent: number; by: 'bytes' | 'messages' } | null {
  const byBytes = stream.max_bytes > 0 ? (stream.state.bytes / stream.max_bytes) * 100 : null;
  const byMessages = stream.max_msgs > 0 ? (Number(big(stream.state.messages)) / stream.max_msgs) * 100 : null;
  if (byBytes === null && byMessages === null) return null;
  const useBytes = byMessages === null || (byBytes !== null && byBytes >= byMessages);
  return { percent: Math.min(100, useBytes ? (byBytes as number) : (byMessages as number)), by: useBytes ? 'bytes' : 'messages' };
}

export interface Finding {
  state: State;
  word: string;
}

/** What a stream's figures say by themselves; steady when nothing needs a look. */
export function streamFinding(stream: Stream): Finding {
  const full = fullness(stream);
  const replicas = quorum(stream.num_replicas, stream.cluster);
  if (replicas.state === 'lost') return { state: 'fault', word: 'No quorum: writing is refused' };
  if (stream.sealed) return { state: 'held', word: 'Sealed' };
  if (stream.discard === 'new' && full && full.percent >= 100) return { state: 'fault', word: 'Full: publishing is refused' };
  if (stream.discard === 'new' && full && full.percent >= 80) {
    return { state: 'watch', word: `${Math.floor(full.percent)}% full: new messages are refused at 100%` };
  }
  if (replicas.state === 'bare') return { state: 'watch', word: 'No replica to spare' };
  return { state: 'steady', word: 'Works' };
}

/** True when as many messages are out for ack as may be. */
export function atAckLimit(consumer: Consumer): boolean {
  const most = consumer.max_ack_pending ?? -1;
  return most > 0 && consumer.num_ack_pending >= most;
}

export function consumerFinding(consumer: Consumer): Finding {
  if (consumer.paused) return { state: 'held', word: 'Paused' };
  if (atAckLimit(consumer)) {
    return { state: 'watch', word: `All ${count(consumer.num_ack_pending)} messages it may hold are out for ack` };
  }
  if (consumer.num_redelivered > 0) return { state: 'watch', word: `${count(consumer.num_redelivered)} redelivered` };
  return { state: 'steady', word: 'Works' };
}

const RANK: Record<State, number> = { fault: 0, watch: 1, held: 2, stale: 3, work: 4, steady: 5 };

/** Trouble first, then furthest behind, then name. */
export function worstFirst(a: Consumer, b: Consumer): number {
  const byState = RANK[consumerFinding(a).state] - RANK[consumerFinding(b).state];
  if (byState) return byState;
  const byLag = big(b.num_pending) - big(a.num_pending);
  return byLag === 0n ? a.name.localeCompare(b.name) : byLag > 0n ? 1 : -1;
}

export function filtersOf(consumer: { filter_subject?: string; filter_subjects?: string[] }): string[] {
  return consumer.filter_subjects?.length ? consumer.filter_subjects : consumer.filter_subject ? [consumer.filter_subject] : [];
}
