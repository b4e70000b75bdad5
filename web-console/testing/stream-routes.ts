import type { Consumer, ConsumerCreate, Message, Stream, StreamCreate, StreamPatch } from '../src/api/types';
import { subjectsOverlap } from '../src/lib/subject';
import { type Answer, type Call, page, Refusal } from './call';
import { iso, makeConsumer, makeStream, type TestingState, type TestingStream } from './seed';

/** What the stream grew by since the state was made, for streams that flow. */
function grow(state: TestingState, entry: TestingStream): void {
  if (!entry.flow) return;
  const due = Math.floor(((state.now() - entry.flow.since) / 1000) * entry.flow.perSecond);
  const more = due - entry.flow.made;
  if (more <= 0) return;
  entry.flow.made = due;
  if (entry.told) {
    entry.told.messages += more;
    entry.told.bytes += more * 480;
  }
  if (entry.flow.put) for (let i = 0; i < more; i++) entry.flow.put(due - more + i);
  else entry.lastSeq += more;
  for (const consumer of entry.consumers.values()) {
    if (consumer.paused || consumer.num_redelivered > 0) {
      consumer.num_pending = String(Number(consumer.num_pending) + more);
      continue;
    }
    for (const place of [consumer.delivered, consumer.ack_floor]) {
      place.consumer_seq = String(Number(place.consumer_seq) + more);
      place.stream_seq = String(Number(place.stream_seq) + more);
      place.last_active = iso(state.now() - 300);
    }
  }
}

/** The stream as the API shows it now. */
export function readStream(state: TestingState, entry: TestingStream): Stream {
  grow(state, entry);
  const held = entry.messages;
  const bytes = held.reduce((sum, message) => sum + message.size + message.subject.length + 22, 0);
  const last = held[held.length - 1];
  const empty = entry.told === undefined && held.length === 0;
  const pad = (seconds: number) => iso(state.now() - seconds * 1000);
  return {
    ...entry.stream,
    state: {
      messages: String(entry.told?.messages ?? held.length),
      bytes: entry.told?.bytes ?? bytes,
      first_seq: String(empty ? entry.lastSeq + 1 : entry.told ? entry.firstSeq : (held[0]?.seq ?? entry.firstSeq)),
      last_seq: String(entry.lastSeq),
      first_time: empty ? null : entry.told ? pad(86_400 * 6.96) : (held[0]?.time ?? null),
      last_time: empty ? null : (last?.time ?? pad(3)),
      num_subjects: new Set(held.map((message) => message.subject)).size,
      num_deleted: 0,
      consumer_count: entry.consumers.size,
    },
    etag: `"v${entry.version}"`,
  };
}


const RESTORABLE_MS = 7 * 86_400_000;

/** Streams, their messages and consumers. */
export class StreamRoutes {
  constructor(
    private readonly state: TestingState,
    private readonly log: (action: string, resource: string) => void,
  ) {}

  answer(call: Call): Answer {
    const name = call.parts[4];
    if (name) return this.stream(call, name);
    return call.method === 'POST' ? this.createStream(call) : page(this.streamList());
  }

  private streamList(): Stream[] {
    return [...this.state.streams.values()].map((entry) => readStream(this.state, entry)).sort((a, b) => a.name.localeCompare(b.name));
  }

  private checkSubjects(name: string, subjects: readonly string[]): void {
    for (const other of this.state.streams.values()) {
      if (other.stream.name === name) continue;
      if (other.stream.subjects.some((kept) => subjects.some((subject) => subjectsOverlap(kept, subject)))) {
        throw new Refusal(422, 'subject_overlap', `The subjects overlap with those of ${other.stream.name}.`, { params: { err_code: 10065 } });
      }
    }
  }

  private createStream(call: Call): Answer {
    const config = call.body as unknown as StreamCreate;
    if (this.state.streams.has(config.name)) throw new Refusal(409, 'already_exists', `A stream ${config.name} exists already.`);
    this.checkSubjects(config.name, config.subjects ?? []);
    const entry = makeStream(config.name, config.subjects ?? [], config as Partial<Stream>, this.state.now());
    const affected = { messages: '0', bytes: 0, consumers: 0 };
    if (call.query.get('dry_run') === 'true') return [200, { valid: true, stream: readStream(this.state, entry), changes: [], affected }];
    this.state.streams.set(config.name, entry);
    this.log('stream.created', `streams/${config.name}`);
    return [201, readStream(this.state, entry)];
  }

  /** What was deleted and can be had again. */
  deleted(): Answer {
    return page(
      [...this.state.deletedStreams].map(([name, { entry, at }]) => ({
        account_id: entry.stream.account_id,
        name,
        kind: name.startsWith('KV_') ? 'kv_bucket' : name.startsWith('OBJ_') ? 'object_bucket' : 'stream',
        messages: readStream(this.state, entry).state.messages,
        bytes: readStream(this.state, entry).state.bytes,
        deleted_at: iso(at),
        purge_at: iso(at + RESTORABLE_MS),
      })),
    );
  }

  private restore(name: string): Answer {
    const gone = this.state.deletedStreams.get(name);
    if (!gone) throw new Refusal(404, 'not_found', `No deleted stream ${name}.`);
    this.state.deletedStreams.delete(name);
    this.state.streams.set(name, gone.entry);
    this.log('stream.restored', `streams/${name}`);
    return [200, readStream(this.state, gone.entry)];
  }

  private stream(call: Call, name: string): Answer {
    if (call.parts[5] === 'actions' && call.parts[6] === 'restore') return this.restore(name);
    const entry = this.state.streams.get(name);
    if (!entry) throw new Refusal(404, 'not_found', `No stream ${name}.`, { params: { err_code: 10059 } });
    const [, , , , , part, id, , act] = call.parts;
    const dry = call.query.get('dry_run') === 'true';
    switch (part) {
      case undefined:
        return this.oneStream(call, name, entry, dry);
      case 'actions':
        return this.purge(call, entry, dry);
      case 'messages':
        return this.messages(call, entry, id);
      case 'subjects': {
        const counts = new Map<string, number>();
        for (const message of entry.messages) counts.set(message.subject, (counts.get(message.subject) ?? 0) + 1);
        return page([...counts].map(([subject, messages]) => ({ subject, messages: String(messages) })));
      }
      case 'consumers':
        return id && act ? this.consumerAction(call, entry, id, act) : this.consumers(call, entry, id, dry);
      default:
        throw new Refusal(404, 'not_found', 'Nothing is here.');
    }
  }

  private oneStream(call: Call, name: string, entry: TestingStream, dry: boolean): Answer {
    if (call.method === 'GET') return [200, readStream(this.state, entry)];
    const match = call.headers.get('if-match');
    if (!match) throw new Refusal(428, 'precondition_required', 'Send If-Match.');
    if (match !== `"v${entry.version}"`) throw new Refusal(412, 'version_mismatch', `${name} was changed meanwhile.`);
    if (call.method === 'DELETE') {
      const { messages, bytes, consumer_count } = readStream(this.state, entry).state;
      if (entry.stream.deletion_protection) throw new Refusal(409, 'deletion_protected', `${name} is protected from deletion. Take the protection off first.`);
      if (dry) return [200, { affected: { messages, bytes, consumers: consumer_count }, restorable_until: iso(this.state.now() + RESTORABLE_MS) }];
      this.state.deletedStreams.set(name, { entry, at: this.state.now() });
      this.state.streams.delete(name);
      this.log('stream.deleted', `streams/${name}`);
      return [204, null];
    }
    const patch = call.body as unknown as StreamPatch;
    if (patch.subjects) this.checkSubjects(name, patch.subjects);
    if (!dry) {
      Object.assign(entry.stream, patch);
      entry.version += 1;
      this.log('stream.updated', `streams/${name}`);
    }
    return [200, readStream(this.state, entry)];
  }

  private purge(call: Call, entry: TestingStream, dry: boolean): Answer {
    const subject = call.body.subject as string | undefined;
    const state = readStream(this.state, entry).state;
    const gone = entry.messages.filter((message) => !subject || subjectsOverlap(subject, message.subject));
    const count = subject ? String(gone.length) : state.messages;
    if (dry) return [200, { would_purge: { messages: count, bytes: subject ? null : state.bytes } }];
    entry.messages = entry.messages.filter((message) => !gone.includes(message));
    if (!subject) delete entry.told;
    this.log('stream.purged', `streams/${entry.stream.name}`);
    return [200, { purged: count }];
  }

  private messages(call: Call, entry: TestingStream, seq: string | undefined): Answer {
    if (seq) {
      const found = entry.messages.find((message) => message.seq === seq);
      if (!found) throw new Refusal(404, 'not_found', `No message ${seq}.`);
      if (call.method === 'DELETE') {
        entry.messages = entry.messages.filter((message) => message !== found);
        return [204, null];
      }
      return [200, found];
    }
    const subject = call.query.get('subject');
    const size = Number(call.query.get('page[size]') ?? 50);
    const after = call.query.get('page[after]');
    const latest = call.query.has('last');
    const start = Number(call.query.get('start_seq') ?? 0);
    let list: Message[] = entry.messages.filter((message) => (!subject || subjectsOverlap(subject, message.subject)) && Number(message.seq) >= start);
    if (latest) list = [...list].reverse();
    const from = after ? Number(after) : 0;
    const next = from + size < list.length ? String(from + size) : null;
    return page(list.slice(from, from + size), next, size);
  }

  private consumers(call: Call, entry: TestingStream, name: string | undefined, dry: boolean): Answer {
    if (!name) {
      if (call.method === 'GET') return page([...entry.consumers.values()]);
      const config = call.body as unknown as ConsumerCreate;
      if (entry.consumers.has(config.name)) throw new Refusal(409, 'already_exists', `A consumer ${config.name} exists already.`);
      const state = readStream(this.state, entry).state;
      const made = makeConsumer(entry.stream.name, config.name, { ...(config as Partial<Consumer>), num_pending: state.messages }, this.state.now());
      if (dry) return [200, { valid: true, consumer: made, changes: [] }];
      entry.consumers.set(config.name, made);
      this.log('consumer.created', `streams/${entry.stream.name}/consumers/${config.name}`);
      return [201, made];
    }
    const consumer = entry.consumers.get(name);
    if (!consumer) throw new Refusal(404, 'not_found', `No consumer ${name}.`);
    if (call.method !== 'GET' && call.headers.get('if-match') !== consumer.etag) throw new Refusal(412, 'version_mismatch', `${name} was changed meanwhile.`);
    if (call.method === 'PATCH') {
      const patch = call.body as Partial<Consumer>;
      if (!dry) {
        Object.assign(consumer, patch, { etag: nextEtag(consumer.etag) });
        this.log('consumer.updated', `streams/${entry.stream.name}/consumers/${name}`);
      }
      return [200, consumer];
    }
    if (call.method === 'DELETE') {
      if (dry) return [200, { affected: { num_pending: consumer.num_pending, num_ack_pending: consumer.num_ack_pending, num_waiting: consumer.num_waiting } }];
      entry.consumers.delete(name);
      this.log('consumer.deleted', `streams/${entry.stream.name}/consumers/${name}`);
      return [204, null];
    }
    return [200, consumer];
  }

  private consumerAction(call: Call, entry: TestingStream, name: string, act: string): Answer {
    const consumer = entry.consumers.get(name);
    if (!consumer) throw new Refusal(404, 'not_found', `No consumer ${name}.`);
    const until = String(call.body.pause_until ?? '');
    if (act === 'pause') Object.assign(consumer, { paused: true, pause_until: until, pause_remaining: `${Math.round((Date.parse(until) - this.state.now()) / 1000)}s` });
    if (act === 'resume') Object.assign(consumer, { paused: false, pause_until: undefined, pause_remaining: null });
    if (act === 'reset') {
      const seq = typeof call.body.seq === 'string' ? Number(call.body.seq) - 1 : Number(consumer.ack_floor.stream_seq);
      consumer.delivered = { ...consumer.delivered, stream_seq: String(seq) };
      consumer.ack_floor = { ...consumer.ack_floor, stream_seq: String(seq) };
      consumer.num_pending = String(entry.lastSeq - seq);
      consumer.num_ack_pending = 0;
    }
    this.log(`consumer.${act === 'reset' ? 'reset' : `${act}d`}`, `streams/${entry.stream.name}/consumers/${name}`);
    return [200, consumer];
  }
}

function nextEtag(etag: string): string {
  return `"v${Number(/\d+/.exec(etag)?.[0] ?? 1) + 1}"`;
}
