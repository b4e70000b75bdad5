import { type AccessState, emptyAccess } from './access-state';
import { IDS, iso } from './ids';
import type { AuditEvent, Consumer, Issuance, Message, SigningKeyGroup, Stream, User } from '../src/api/types';

/** The whole state of a testing API; plain data, so that a test can bend any of it. */
export interface TestingState {
  now: () => number;
  session: boolean;
  person: { email: string; name: string };
  orgName: string;
  accountName: string;
  storageLimit: number;
  connections: number;
  bootstrap: 'running' | 'ready';
  signups: Map<string, { email: string; code: string; token: string }>;
  streams: Map<string, TestingStream>;
  /** Deleted ones that can be restored, by name. */
  deletedStreams: Map<string, { entry: TestingStream; at: number }>;
  groups: SigningKeyGroup[];
  users: User[];
  issuances: Issuance[];
  audit: AuditEvent[];
  connected: { at: string; lang: string; version: string; ip: string; user: string } | null;
  publishedAt: string | null;
  dismissed: boolean;
  otherAccounts: { name: string; project: string }[];
  access: AccessState;
}

export interface TestingStream {
  /** State and ETag in here are replaced by those of the messages held. */
  stream: Stream;
  version: number;
  messages: Message[];
  firstSeq: number;
  lastSeq: number;
  /** Messages and bytes told by the API where they are more than what is held here. */
  told?: { messages: number; bytes: number };
  consumers: Map<string, Consumer>;
  /** A stream that is published to while it is looked at. */
  flow?: { perSecond: number; since: number; made: number; put?: (i: number) => void };
}

export { IDS, iso, newId } from './ids';

export function emptyState(now: () => number = () => Date.now()): TestingState {
  const at = iso(now());
  const person = { email: 'ines@meridian-freight.example', name: 'Ines Okafor' };
  return {
    now,
    session: true,
    person,
    access: emptyAccess(now(), person),
    orgName: 'Meridian Freight',
    accountName: 'default',
    storageLimit: 10_000_000_000,
    connections: 0,
    bootstrap: 'ready',
    signups: new Map(),
    streams: new Map(),
    deletedStreams: new Map(),
    groups: [
      {
        id: IDS.group,
        account_id: IDS.account,
        name: 'default',
        description: 'Everything in the account',
        template: {},
        public_key: 'ADQ2TZCL7LQNP4G6WEWPN5K6CXVDWQR4FDNQ5B4QPZ3CTB4XKJ7N6Y5E',
        version: 1,
        user_count: 0,
        sync: { desired_generation: 1, observed_generation: 1, state: 'synced', last_error: null, since: at },
        created_at: at,
        updated_at: at,
        etag: '"v1"',
      },
    ],
    users: [],
    issuances: [],
    audit: [],
    connected: null,
    publishedAt: null,
    dismissed: false,
    otherAccounts: [],
  };
}

export function makeStream(name: string, subjects: string[], change: Partial<Stream> = {}, at = Date.now()): TestingStream {
  return {
    stream: {
      account_id: IDS.account,
      name,
      description: '',
      subjects,
      retention: 'limits',
      storage: 'file',
      num_replicas: 1,
      max_consumers: -1,
      max_msgs: -1,
      max_msgs_per_subject: -1,
      max_bytes: -1,
      max_age: '0s',
      max_msg_size: -1,
      discard: 'old',
      duplicate_window: '2m0s',
      compression: 'none',
      allow_direct: true,
      deny_delete: false,
      deny_purge: false,
      sealed: false,
      created_at: iso(at),
      cluster: null,
      deletion_protection: false,
      state: {
        messages: '0',
        bytes: 0,
        first_seq: '1',
        last_seq: '0',
        first_time: null,
        last_time: null,
        num_subjects: 0,
        num_deleted: 0,
        consumer_count: 0,
      },
      etag: '"v1"',
      ...change,
    } as Stream,
    version: 1,
    messages: [],
    firstSeq: 1,
    lastSeq: 0,
    consumers: new Map(),
  };
}

export function put(entry: TestingStream, subject: string, payload: string, at: number, headers: Record<string, string[]> = {}): Message {
  entry.lastSeq += 1;
  const message: Message = {
    seq: String(entry.lastSeq),
    time: iso(at),
    subject,
    headers,
    size: new TextEncoder().encode(payload).length,
    payload: { encoding: 'utf8', data: payload, truncated: false },
  };
  entry.messages.push(message);
  return message;
}

export function makeConsumer(stream: string, name: string, change: Partial<Consumer> = {}, at = Date.now()): Consumer {
  return {
    account_id: IDS.account,
    stream_name: stream,
    name,
    durable_name: name,
    description: '',
    deliver_policy: 'all',
    ack_policy: 'explicit',
    ack_wait: '30s',
    max_deliver: -1,
    replay_policy: 'instant',
    max_ack_pending: 1000,
    max_waiting: 512,
    type: 'pull',
    created_at: iso(at),
    delivered: { consumer_seq: '0', stream_seq: '0', last_active: null },
    ack_floor: { consumer_seq: '0', stream_seq: '0', last_active: null },
    num_pending: '0',
    num_ack_pending: 0,
    num_redelivered: 0,
    num_waiting: 0,
    paused: false,
    pause_remaining: null,
    push_bound: false,
    cluster: null,
    etag: '"v1"',
    ...change,
  };
}
