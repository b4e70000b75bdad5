import { emptyState, IDS, iso, makeConsumer, makeStream, newId, put, type TestingState, type TestingStream } from './seed';
import { freightAccess } from './access-state';
import type { Consumer, Stream } from '../src/api/types';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Messages a second of the streams that are busy. */
const FLOW: Record<string, number> = { TELEMETRY_TRUCKS: 620, TRACKING_EVENTS: 310, CDC_POSTGRES: 70, ETA_PREDICTIONS: 51, SHIPMENTS: 11 };

/** Group and leader of the streams with three replicas; the third is how far the replica in zone b is behind. */
const PLACES: Record<string, [string, string, string?]> = {
  AUDIT: ['pg-01', 'eu-a-1'],
  PAYMENTS: ['pg-01', 'eu-a-1'],
  QUOTES: ['pg-01', 'eu-a-1'],
  SHIPMENTS: ['pg-02', 'eu-b-1'],
  TRACKING_EVENTS: ['pg-03', 'eu-c-1'],
  CUSTOMS_DECL: ['pg-06', 'eu-a-1', '1204'],
};

/** A stream far into its life: the last messages are held, the rest is only counted. */
function aged(entry: TestingStream, first: number, last: number, bytes: number, messages: number): void {
  entry.firstSeq = first;
  entry.lastSeq = last;
  entry.told = { messages, bytes };
}

function at(entry: TestingStream, name: string, now: number, behind: number, change: Partial<Consumer> = {}): void {
  const delivered = entry.lastSeq - behind;
  entry.consumers.set(
    name,
    makeConsumer(
      entry.stream.name,
      name,
      {
        delivered: { consumer_seq: String(delivered - entry.firstSeq + 1), stream_seq: String(delivered), last_active: iso(now - 400) },
        ack_floor: { consumer_seq: String(delivered - entry.firstSeq + 1), stream_seq: String(delivered), last_active: iso(now - 600) },
        num_pending: String(behind),
        num_waiting: 1,
        ...change,
      },
      now - 90 * DAY,
    ),
  );
}

function orders(now: number): TestingStream {
  const entry = makeStream(
    'ORDERS',
    ['orders.>'],
    {
      description: 'Orders of all shops',
      num_replicas: 3,
      cluster: {
        name: 'eu-central-1',
        leader: 'eu-a-1',
        raft_group: 'pg-01',
        replicas: [
          { name: 'eu-b-1', current: true, active: '120ms', offline: false, lag: '0' },
          { name: 'eu-c-1', current: true, active: '80ms', offline: false, lag: '0' },
        ],
      },
      max_age: '168h0m0s', max_bytes: 20_000_000_000, compression: 's2',
    },
    now - 200 * DAY,
  );
  aged(entry, 24_210_334, 49_621_228, 12_200_000_000, 25_410_907);
  const places = ['eu', 'us', 'apac'];
  const verbs = ['created', 'paid', 'created', 'cancelled', 'paid'];
  const write = (i: number, time: number) => {
    const place = places[(i * 7) % 3];
    const verb = verbs[(i * 3) % 5];
    const order = {
      id: `ord_8Q${(i * 37 + 211).toString(36)}`,
      total: 284.5 + ((i * 173) % 4126),
      currency: place === 'eu' ? 'EUR' : 'USD',
      customer: { id: `cus_${(i * 13) % 97}` },
      lines: [
        { sku: 'PAL-120', qty: 1 + (i % 14), price: 285 },
        { sku: 'STRAP-5', qty: 10 + (i % 60), price: 7 },
      ],
      deliver_by: '2026-12-04',
    };
    put(entry, `orders.${place}.${verb}`, JSON.stringify(order), time, {
      'Nats-Msg-Id': [`${order.id}-1`],
      'content-type': ['application/json'],
    });
  };
  for (let i = 0; i < 60; i++) write(i, now - (60 - i) * 23_000);
  entry.flow = { perSecond: 4, since: now, made: 0, put: (i) => write(60 + i, Date.now()) };
  at(entry, 'billing-worker', now, 45_360, {
    ack_wait: '5m0s',
    max_deliver: 5,
    num_ack_pending: 1000,
    num_redelivered: 9,
    num_pending: '44360',
    delivered: { consumer_seq: '25366547', stream_seq: String(entry.lastSeq - 44_360), last_active: iso(now - 18 * 60_000) },
    ack_floor: { consumer_seq: '25365547', stream_seq: String(entry.lastSeq - 45_360), last_active: iso(now - 18 * 60_000) },
  });
  at(entry, 'fulfilment', now, 9, { filter_subject: 'orders.*.created' });
  at(entry, 'search-indexer', now, 17);
  at(entry, 'fraud-score', now, 412, { num_ack_pending: 24 });
  at(entry, 'nightly-export', now, 1_769_040, { paused: true, pause_until: iso(now + 12 * HOUR), pause_remaining: '12h0m0s', num_waiting: 0 });
  return entry;
}

/** An account in full use: many streams, one consumer in trouble, a few credentials near their end. */
export function freightState(now: () => number = () => Date.now()): TestingState {
  const t = now();
  const state = emptyState(now);
  state.accountName = 'freight-prod';
  state.storageLimit = 200_000_000_000;
  state.connections = 318;
  state.dismissed = true;
  state.access = freightAccess(t, state.person);
  state.otherAccounts = [
    { name: 'freight-staging', project: 'staging' },
    { name: 'analytics', project: 'production' },
  ];

  const add = (entry: TestingStream) => state.streams.set(entry.stream.name, entry);
  add(orders(t));
  const replicated = (group: string, leader: string, lag: string | null = null): Stream['cluster'] => ({
    name: 'eu-central-1',
    leader,
    raft_group: group,
    replicas: ['eu-a-1', 'eu-b-1', 'eu-c-1'].filter((node) => node !== leader).map((node) => ({ name: node, current: !(lag && node === 'eu-b-1'), active: '120ms', offline: false, lag: lag && node === 'eu-b-1' ? lag : '0' })),
  });
  const rows: [string, string[], Parameters<typeof makeStream>[2], number, number, number, [string, number][]][] = [
    ['AUDIT', ['audit.>'], { max_age: '8760h0m0s', deny_delete: true, deny_purge: true }, 3_000_000, 11_148_093, 6_700_000_000, [['archive', 2]]],
    ['CARRIER_EDI_IN', ['edi.in.*'], { max_age: '720h0m0s' }, 1, 438_829, 1_800_000_000, [['parser', 0], ['archive', 1]]],
    ['CDC_POSTGRES', ['cdc.pg.*.*'], { max_age: '72h0m0s' }, 90_000_000, 107_853_923, 9_600_000_000, [['search', 12], ['warehouse', 0], ['cache', 3]]],
    ['CUSTOMS_DECL', ['customs.decl.*'], { max_age: '8760h0m0s', discard: 'new', max_bytes: 6_000_000_000 }, 1, 1_284_366, 5_100_000_000, [['rulings', 0]]],
    ['ETA_PREDICTIONS', ['eta.>'], { max_age: '24h0m0s' }, 70_000_000, 74_305_658, 1_300_000_000, [['eta-window', 5_310], ['publisher', 0]]],
    ['FUEL_CARDS', ['fuel.card.>'], { max_age: '720h0m0s' }, 1, 312_066, 140_000_000, [['ledger', 0]]],
    ['LABEL_PRINT', ['print.label.*'], { retention: 'workqueue' }, 8_100, 8_141, 1_100_000, [['printers', 41]]],
    ['NOTIFY_EMAIL', ['notify.email'], { retention: 'workqueue', storage: 'memory' }, 51_000, 51_312, 1_900_000, [['mailer', 312]]],
    ['ORDERS_DLQ', ['dlq.orders.>'], { max_age: '336h0m0s' }, 1, 17, 61_000, []],
    ['PAYMENTS', ['billing.payment.>'], { max_age: '8760h0m0s' }, 1, 1_877_353, 2_100_000_000, [['ledger', 0], ['fraud', 2], ['receipts', 0]]],
    ['QUOTES', ['quotes.req', 'quotes.answer.*'], { max_age: '24h0m0s' }, 1, 704_835, 648_000_000, [['pricing', 1]]],
    ['SHIPMENTS', ['shipments.*.created', 'shipments.*.status'], { max_age: '720h0m0s' }, 12_000_000, 40_341_038, 21_800_000_000, [['tracking', 0], ['billing', 3]]],
    ['TELEMETRY_TRUCKS', ['fleet.truck.*.telemetry'], { max_age: '48h0m0s' }, 900_000_000, 1_008_850_616, 14_200_000_000, [['positions', 2_604], ['geofence', 11]]],
    ['TRACKING_EVENTS', ['track.>'], { max_age: '72h0m0s' }, 300_000_000, 378_825_477, 30_000_000_000, [['web', 341], ['alerts', 2]]],
  ];
  for (const [name, subjects, change, first, last, bytes, consumers] of rows) {
    const place = PLACES[name];
    const entry = makeStream(name, subjects, { ...change, ...(place ? { num_replicas: 3, cluster: replicated(...place) } : {}) }, t - 120 * DAY);
    aged(entry, first, last, bytes, last - first + 1);
    const perSecond = FLOW[name];
    if (perSecond) entry.flow = { perSecond, since: t, made: 0 };
    for (const [consumer, behind] of consumers) at(entry, consumer, t, behind);
    add(entry);
  }

  const [first] = state.groups;
  if (!first) throw new Error('an empty state has a group');
  first.user_count = 5;
  state.groups.push({
    ...first,
    id: newId('skg'),
    name: 'fleet',
    description: 'Trucks and reefers',
    template: { publish: { allow: ['fleet.>'] }, subscribe: { allow: ['_INBOX.>', 'fleet.cmd.*'] } },
    user_count: 2,
  });
  const people: [string, string, number, number | null][] = [
    ['billing-worker', 'default', 45, 18 * 60_000],
    ['checkout-api', 'default', 90, 2_000],
    ['edi-gateway', 'default', 6, 41_000],
    ['eta-service', 'default', 90, null],
    ['fulfilment', 'default', 90, 900],
    ['reefer-agent', 'fleet', 31, 5_000],
    ['truck-agent', 'fleet', 31, 1_200],
  ];
  for (const [name, group, days, seen] of people) {
    const id = newId('usr');
    const groupEntry = state.groups.find((entry) => entry.name === group) ?? first;
    state.users.push({
      id,
      account_id: IDS.account,
      signing_key_group_id: groupEntry.id,
      signing_key_group_name: group,
      name,
      disabled: false,
      jwt_ttl: null,
      tags: [],
      state: 'active',
      issuance_count: 1,
      last_issued_at: iso(t - (90 - days) * DAY),
      expires_at: iso(t + days * DAY),
      last_connected_at: seen === null ? null : iso(t - seen),
      created_at: iso(t - 90 * DAY),
      updated_at: iso(t - 90 * DAY),
      etag: '"v1"',
    });
    state.issuances.push({
      id: newId('iss'),
      account_id: IDS.account,
      user_id: id,
      user_name: name,
      signing_key_group_id: groupEntry.id,
      user_public_key: 'UBQ2TZCL7LQNP4G6WEWPN5K6CXVDWQR4FDNQ5B4QPZ3CTB4XKJ7N6Y5E',
      jti: 'J7H6G5',
      state: 'active',
      channel: 'console',
      issued_by: 'Ines Okafor',
      issued_at: iso(t - (90 - days) * DAY),
      expires_at: iso(t + days * DAY),
      revoked_at: null,
      revoke_at: null,
      issue_key: null,
      first_connected_at: seen === null ? null : iso(Math.min(t - (90 - days) * DAY + HOUR, t - seen)),
      last_connected_at: seen === null ? null : iso(t - seen),
    });
  }
  const changes: [string, string, number, string][] = [
    ['consumer.updated', 'streams/ORDERS/consumers/billing-worker', 0.2, 'Ines Okafor'],
    ['credential.issued', 'users/eta-service', 1.5, 'Ines Okafor'],
    ['stream.updated', 'streams/ORDERS', 16, 'Ruben Aalto'],
    ['stream.deleted', 'streams/TMP_REPLAY', 18, 'Ruben Aalto'],
    ['stream.created', 'streams/QUOTES', 60, 'Ruben Aalto'],
    ['account.created', '', 24 * 200, 'system'],
  ];
  for (const [action, resource, hours, actor] of changes) {
    state.audit.push({
      id: newId('evt'),
      time: iso(t - hours * HOUR),
      actor: { kind: actor === 'system' ? 'system' : 'user', id: 'usrp_1', name: actor, token_id: null },
      action,
      resource: `/v1/accounts/${IDS.account}/${resource}`.replace(/\/$/, ''),
      result: 'success',
      ip: actor === 'system' ? null : '203.0.113.7',
      user_agent: 'Mozilla/5.0',
      request_id: newId('req'),
      details:
        action === 'account.created'
          ? { name: 'freight-prod' }
          : action === 'stream.updated'
            ? { changes: [{ field: 'max_bytes', from: 10_000_000_000, to: 20_000_000_000 }] }
            : {},
      hash: '0'.repeat(64),
    });
  }
  const minutes = t - 40 * 60_000;
  state.connected = { at: iso(minutes), lang: 'go', version: '1.55.0', ip: '203.0.113.7', user: 'checkout-api' };
  state.publishedAt = iso(minutes + 4_000);
  return state;
}
