import type { Account, Consumer, Stream, User } from '../api/types';
import { jetStream } from './account-words';
import { bytes, count, fromNow, share } from './format';
import { quorum } from './quorum';
import { consumerFinding, fullness } from './stream-words';

/** Something of an account that wants a decision, with the place where it is taken. */
export interface Look {
  state: 'fault' | 'watch';
  word: string;
  name: string;
  more: string;
  to: { page: 'stream'; stream: string } | { page: 'consumer'; stream: string; consumer: string } | { page: 'credentials' } | { page: 'settings' };
}

interface Known {
  account: Account | undefined;
  streams: readonly Stream[];
  consumers: readonly Consumer[];
  users: readonly User[];
}

const WEEK = 7 * 86_400_000;

function ofStream(stream: Stream): Look[] {
  const found: Look[] = [];
  const to = { page: 'stream', stream: stream.name } as const;
  const replicas = quorum(stream.num_replicas, stream.cluster);
  if (replicas.state === 'lost' || replicas.state === 'bare') {
    const lost = replicas.state === 'lost';
    const short = replicas.replicas
      .filter((replica) => replica.state === 'behind' || replica.state === 'lost')
      .map((replica) => (replica.state === 'lost' ? `${replica.name} is gone` : `${replica.name} is ${count(replica.lag)} entries behind`));
    found.push({ state: lost ? 'fault' : 'watch', word: lost ? 'No quorum: writing is refused' : 'No replica to spare', name: stream.name, more: short.join(', '), to });
  }
  const full = fullness(stream);
  if (stream.discard === 'new' && full && full.percent >= 80) {
    found.push({
      state: full.percent >= 100 ? 'fault' : 'watch',
      word: full.percent >= 100 ? 'Full: publishing is refused' : `${Math.floor(full.percent)}% full: new messages are refused at 100%`,
      name: stream.name,
      more: full.by === 'bytes' ? `${bytes(stream.state.bytes)} of ${bytes(stream.max_bytes)}` : `${count(stream.state.messages)} of ${count(stream.max_msgs)} messages`,
      to,
    });
  }
  return found;
}

function ofConsumer(consumer: Consumer): Look[] {
  const { state, word } = consumerFinding(consumer);
  if (state !== 'watch' && state !== 'fault') return [];
  return [
    {
      state,
      word,
      name: `${consumer.stream_name} / ${consumer.name}`,
      more: consumer.num_pending === '0' ? '' : `${count(consumer.num_pending)} behind`,
      to: { page: 'consumer', stream: consumer.stream_name, consumer: consumer.name },
    },
  ];
}

function ofUser(user: User, now: number): Look[] {
  // Whoever is not connected any more needs no new credential.
  if (user.state === 'revoked' || !user.expires_at || !user.last_connected_at) return [];
  const left = Date.parse(user.expires_at) - now;
  if (left > WEEK || now - Date.parse(user.last_connected_at) > WEEK) return [];
  return left <= 0
    ? [{ state: 'fault', word: 'Credential ended', name: user.name, more: fromNow(user.expires_at, now), to: { page: 'credentials' } }]
    : [{ state: 'watch', word: 'Credential ends soon', name: user.name, more: fromNow(user.expires_at, now), to: { page: 'credentials' } }];
}

function ofLimits(account: Account | undefined): Look[] {
  if (!account?.usage) return [];
  const { usage, limits } = account;
  const most = jetStream(account);
  const rows: [string, number | null, number][] = [
    ['Storage on file', usage.storage_bytes, most.storage_bytes],
    ['Storage in memory', usage.memory_bytes, most.memory_bytes],
    ['Streams', usage.streams, most.streams],
    ['Consumers', usage.consumers, most.consumers],
    ['Connections', usage.connections, limits.connections],
  ];
  return rows.flatMap(([name, used, limit]): Look[] => {
    const percent = used === null ? null : share(used, limit);
    if (percent === null || percent < 80) return [];
    return [{ state: percent >= 100 ? 'fault' : 'watch', word: percent >= 100 ? 'Limit reached' : 'Near its limit', name, more: `${Math.floor(percent)}% of it used`, to: { page: 'settings' } }];
  });
}

/** What needs a look, worst first; empty when all is well. */
export function needsLook({ account, streams, consumers, users }: Known, now: number): Look[] {
  const found = [...streams.flatMap(ofStream), ...consumers.flatMap(ofConsumer), ...users.flatMap((user) => ofUser(user, now)), ...ofLimits(account)];
  return found.sort((a, b) => (a.state === b.state ? a.name.localeCompare(b.name) : a.state === 'fault' ? -1 : 1));
}
