import { expect, it } from 'vitest';
import { quorum } from './quorum';

const cluster = (leader: string | null, ...replicas: [string, boolean, boolean, string?][]) => ({
  name: 'eu',
  leader,
  raft_group: 'S-R3F-1',
  replicas: replicas.map(([name, current, offline, lag]) => ({ name, current, offline, active: '100ms', lag: lag ?? null })),
});

it('survives one more loss while all three are in step', () => {
  const found = quorum(3, cluster('a1', ['c1', true, false], ['b1', true, false]));
  expect(found).toMatchObject({ margin: 1, state: 'spare', word: '+1' });
  expect(found.replicas.map((replica) => replica.name)).toEqual(['a1', 'b1', 'c1']);
});

it('has none to spare while one lags, and says which and how far', () => {
  const found = quorum(3, cluster('a1', ['b1', false, false, '1204'], ['c1', true, false]));
  expect(found).toMatchObject({ margin: 0, state: 'bare' });
  expect(found.means).toContain('b1 is 1,204 entries behind');
});

it('has none to spare while one is gone', () => {
  expect(quorum(3, cluster('a1', ['b1', false, true], ['c1', true, false])).means).toContain('b1 is gone');
});

it('is lost without a leader, or with two of three gone', () => {
  expect(quorum(3, cluster(null, ['a1', true, false], ['b1', false, true], ['c1', false, true])).state).toBe('lost');
  expect(quorum(3, cluster('a1', ['b1', false, true], ['c1', false, true])).state).toBe('lost');
});

it('still writes while both others only lag', () => {
  expect(quorum(3, cluster('a1', ['b1', false, false, '5'], ['c1', false, false, '7'])).state).toBe('bare');
});

it('survives two of five', () => {
  expect(quorum(5, cluster('a1', ['a2', true, false], ['b1', true, false], ['b2', true, false], ['c1', true, false])).word).toBe('+2');
});

it('counts a replica without a node as missing', () => {
  const found = quorum(3, cluster('a1', ['b1', true, false]));
  expect(found.state).toBe('bare');
  expect(found.means).toContain('no node yet');
});

it('claims nothing where the broker tells nothing of the replicas', () => {
  expect(quorum(3, null)).toMatchObject({ state: 'unknown', word: 'R3' });
});

it('calls one replica R1, whatever the broker tells of it', () => {
  expect(quorum(1, null).word).toBe('R1');
  expect(quorum(1, cluster('a1')).word).toBe('R1');
});
