import { expect, it } from 'vitest';
import { makeConsumer } from '../../testing/seed';
import { changesOf, toPatch } from './changes';
import { consumerAddCommand } from './code-tabs';
import { type ConsumerForm, consumerErrors, consumerSentence, EMPTY_CONSUMER, fromConsumer, toConsumer } from './consumer-model';

const form = (change: Partial<ConsumerForm>): ConsumerForm => ({ ...EMPTY_CONSUMER, name: 'worker', ...change });
const comeBack = (start: ConsumerForm) => toConsumer(fromConsumer(makeConsumer('ORDERS', 'worker', { ...(toConsumer(start) as object), type: start.type })));

it('carries every field of a pull consumer there and back', () => {
  const start = form({
    metadata: 'team=a',
    filters: ['a.>', 'b.*'],
    deliver: 'by_start_time',
    startTime: '2026-11-30T09:00:00Z',
    backoff: '1s 30s',
    maxDeliver: '5',
    sample: '50',
    replay: 'original',
    headersOnly: true,
    inactive: '5',
    replicas: '3',
    memory: true,
    maxWaiting: '8',
    maxBatch: '10',
    maxBytes: '1000',
    maxExpires: '30',
    priority: 'pinned_client',
    groups: ['g'],
    priorityTimeout: '20',
  });
  expect(consumerErrors(start)).toEqual({});
  expect(comeBack(start)).toEqual(toConsumer(start));
});

it('carries every field of a push consumer there and back', () => {
  const start = form({ type: 'push', deliverSubject: 'work.a', deliverGroup: 'q', flowControl: true, heartbeat: '5', rateLimit: '8000', maxWaiting: '512' });
  expect(consumerErrors(start)).toEqual({});
  expect(comeBack(start)).toEqual(toConsumer(start));
});

it('refuses more waits than deliveries and names the wrong one', () => {
  expect(consumerErrors(form({ maxDeliver: '1', backoff: '1s 2s' })).backoff).toContain('2 waits');
  expect(consumerErrors(form({ backoff: '1s soon' })).backoff).toContain('soon');
});

it('takes a field back to its default with null', () => {
  const list = changesOf(toConsumer(form({ description: 'x', backoff: '1s', maxDeliver: '3' })), toConsumer(form({ maxDeliver: '3' })));
  expect(toPatch(list)).toEqual({ description: null, backoff: null });
});

it('says what happens to a message that is not acknowledged', () => {
  expect(consumerSentence(form({ backoff: '1s 30s', maxDeliver: '4' }))).toContain('within 1s, then 30s comes again, 4 times at most');
});

it('asks the broker itself for a backoff list, which the CLI has no flag for', () => {
  expect(consumerAddCommand('ORDERS', toConsumer(form({ backoff: '1s 30s' })))).toContain('"backoff":[1000000000,30000000000]');
});
