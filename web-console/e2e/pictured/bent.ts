import type { TestingApi } from '../../testing/api';
import { makeConsumer, makeStream, put } from '../../testing/seed';

export const LONG_STREAM = 'REGIONAL_WAREHOUSE_TEMPERATURE_AND_HUMIDITY_READINGS_OF_REFRIGERATED_CONTAINERS_EU_CENTRAL_V2';
export const LONG_CONSUMER = 'compliance-archive-of-temperature-readings-for-the-food-safety-authority-in-hamburg';

/** A stream whose names are as long, and whose figures as large, as the broker takes them. */
export function longNames(api: TestingApi): void {
  const subjects = ['warehouse.*.refrigerated.container.*.temperature.celsius.five-minute-average.>', 'warehouse.*.refrigerated.container.*.humidity.percent', 'legacy.readings.>'];
  const entry = makeStream(LONG_STREAM, subjects, { description: 'Readings of every refrigerated container in every warehouse of the region, kept for the food safety authority for ten years', num_replicas: 1, max_age: '87600h0m0s', max_bytes: 9_000_000_000_000_000 });
  entry.firstSeq = 8_999_000_000_000_000;
  entry.lastSeq = 9_007_199_254_740_000;
  entry.told = { messages: 8_199_254_740_001, bytes: 8_765_432_109_876_543 };
  const payload = JSON.stringify({ reading: 'a-reading-without-any-space-that-could-break-a-line-'.repeat(4), celsius: -18.25 });
  for (let i = 0; i < 12; i++) {
    put(entry, `warehouse.hamburg-${i % 3}.refrigerated.container.MSKU${7_000_000 + i}.temperature.celsius.five-minute-average.sensor-${i}`, payload, Date.now() - (12 - i) * 1_000, { 'traceparent': ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'] });
  }
  const place = (behind: number) => ({ consumer_seq: String(8_000_000_000_000), stream_seq: String(entry.lastSeq - behind), last_active: new Date(Date.now() - 3_000).toISOString() });
  entry.consumers.set(
    LONG_CONSUMER,
    makeConsumer(LONG_STREAM, LONG_CONSUMER, { description: 'Reads everything once and writes it to the archive', filter_subject: subjects[0] ?? '', delivered: place(6_000_000_000_000), ack_floor: place(6_000_000_001_000), num_pending: '6000000000000', num_ack_pending: 1_000, max_ack_pending: 1_000_000 }),
  );
  api.state.streams.set(LONG_STREAM, entry);
}

/** ORDERS without the majority of its nodes. */
export function lostOrders(api: TestingApi): void {
  const orders = api.state.streams.get('ORDERS');
  if (orders) orders.stream.cluster = { name: 'eu-central-1', leader: null, raft_group: 'pg-09', replicas: [{ name: 'eu-a-1', current: true, offline: false }, { name: 'eu-b-1', current: false, offline: true }, { name: 'eu-c-1', current: false, offline: true }] };
}
