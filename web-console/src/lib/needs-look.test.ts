import { expect, it } from 'vitest';
import { freightState } from '../../testing/freight';
import { makeStream } from '../../testing/seed';
import { needsLook } from './needs-look';

const NOW = Date.parse('2026-11-30T09:00:00Z');
const nothing = { account: undefined, streams: [], consumers: [], users: [] };

it('says nothing while all is well', () => {
  expect(needsLook({ ...nothing, streams: [makeStream('A', ['a.>']).stream] }, NOW)).toEqual([]);
});

it('puts what is broken before what only needs a look', () => {
  const full = makeStream('Z_FULL', ['z.>'], { discard: 'new', max_msgs: 10 }).stream;
  full.state = { ...full.state, messages: '10' };
  const nearly = makeStream('NEARLY', ['n.>'], { discard: 'new', max_msgs: 10 }).stream;
  nearly.state = { ...nearly.state, messages: '9' };
  expect(needsLook({ ...nothing, streams: [nearly, full] }, NOW).map((look) => [look.state, look.name])).toEqual([
    ['fault', 'Z_FULL'],
    ['watch', 'NEARLY'],
  ]);
});

it('tells of a credential that ends only while it is used', () => {
  const [user] = freightState(() => NOW).users;
  if (!user) throw new Error('the seed has users');
  const ends = { ...user, state: 'active' as const, expires_at: new Date(NOW + 2 * 86_400_000).toISOString() };
  const used = new Date(NOW - 60_000).toISOString();
  const words = (last: string | null) => needsLook({ ...nothing, users: [{ ...ends, last_connected_at: last }] }, NOW).map((look) => look.word);
  expect(words(used)).toEqual(['Credential ends soon']);
  expect(words(new Date(NOW - 30 * 86_400_000).toISOString())).toEqual([]);
  expect(words(null)).toEqual([]);
});

it('tells of a missing spare and of a full stream apart', () => {
  const stream = makeStream('BOTH', ['b.>'], { discard: 'new', max_msgs: 10, num_replicas: 3 }).stream;
  stream.state = { ...stream.state, messages: '9' };
  stream.cluster = { name: 'c', leader: 'a', raft_group: 'pg-1', replicas: [{ name: 'b', current: true, offline: false }, { name: 'c', current: false, offline: true }] };
  expect(needsLook({ ...nothing, streams: [stream] }, NOW).map((look) => [look.word, look.more])).toEqual([
    ['No replica to spare', 'c is gone'],
    ['90% full: new messages are refused at 100%', '9 of 10 messages'],
  ]);
});
