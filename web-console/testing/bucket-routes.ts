import type { KvBucket, ObjectBucket } from '../src/api/types';
import { makeKv, makeObjects, type TestingKv } from './access-state';
import { type Answer, type Call, page, Refusal } from './call';
import { iso } from './ids';
import type { TestingState } from './seed';
import { subjectsOverlap } from '../src/lib/subject';

/** KV buckets with their entries, and object buckets with their items. */
export class BucketRoutes {
  constructor(
    private readonly state: TestingState,
    private readonly log: (action: string, resource: string) => void,
  ) {}

  private get access() {
    return this.state.access;
  }

  private dry(call: Call): boolean {
    return call.query.get('dry_run') === 'true';
  }

  private impact(bucket: KvBucket | ObjectBucket, more: object): Answer {
    if (bucket.deletion_protection) throw new Refusal(409, 'deletion_protected', `${bucket.name} is protected from deletion. Take the protection off first.`);
    return [200, { valid: true, changes: [], affected: { bytes: bucket.bytes, ...more }, warnings: [], restorable_until: iso(this.state.now() + 7 * 86_400_000) }];
  }

  private patch(call: Call, bucket: KvBucket | ObjectBucket): Answer {
    if (call.headers.get('if-match') !== bucket.etag) throw new Refusal(412, 'version_mismatch', `${bucket.name} was changed meanwhile.`);
    if (!this.dry(call)) Object.assign(bucket, call.body, { etag: `"v${Number(/\d+/.exec(bucket.etag)?.[0]) + 1}"` });
    return [200, bucket];
  }

  kv(call: Call): Answer {
    const [, , , , name, part, key] = call.parts;
    if (!name) {
      if (call.method === 'GET') return page([...this.access.kv.values()].map((entry) => read(entry)));
      const body = call.body as Partial<KvBucket> & { name: string };
      if (this.access.kv.has(body.name)) throw new Refusal(409, 'already_exists', `A bucket ${body.name} exists already.`);
      const made = makeKv(body.name, body, {}, this.state.now());
      this.access.kv.set(body.name, made);
      this.log('kv_bucket.created', `kv/${body.name}`);
      return [201, read(made)];
    }
    const found = this.access.kv.get(name);
    if (!found) throw new Refusal(404, 'not_found', `No bucket ${name}.`);
    if (part === 'entries') return key ? this.entry(call, found, key) : this.keys(call, found);
    if (call.method === 'PATCH') return this.patch(call, found.bucket);
    if (call.method === 'DELETE') {
      const answer = this.impact(found.bucket, { entries: found.entries.size });
      if (this.dry(call)) return answer;
      this.access.kv.delete(name);
      this.log('kv_bucket.deleted', `kv/${name}`);
      return [204, null];
    }
    return [200, read(found)];
  }

  private keys(call: Call, found: TestingKv): Answer {
    const filter = call.query.get('filter');
    return page([...found.entries].filter(([key]) => !filter || subjectsOverlap(filter, key)).map(([key, entry]) => ({ key, revisions: String(entry.revisions) })));
  }

  private entry(call: Call, found: TestingKv, key: string): Answer {
    const held = found.entries.get(key);
    if (call.method === 'PUT') {
      if (call.body.create_only && held) throw new Refusal(409, 'already_exists', `${key} has a value already.`);
      const expected = call.body.expected_revision;
      if (expected !== undefined && expected !== String(held?.revision ?? 0)) throw new Refusal(412, 'version_mismatch', `${key} is at revision ${held?.revision ?? 0}.`);
      const before = held ? [{ value: held.value, revision: held.revision, at: held.at }, ...(held.before ?? [])] : [];
      found.entries.set(key, { value: String(call.body.value), revision: found.next++, at: iso(this.state.now()), revisions: (held?.revisions ?? 0) + 1, before });
      return [200, this.value(found, key)];
    }
    if (!held) throw new Refusal(404, 'not_found', `${key} has no value.`);
    if (call.method === 'DELETE') {
      found.entries.delete(key);
      return [204, null];
    }
    return [200, this.value(found, key)];
  }

  /** The messages of a bucket's stream that are the history of one key; null for another stream. */
  history(call: Call): Answer | null {
    const found = this.access.kv.get(call.parts[4]?.replace(/^KV_/, '') ?? '');
    if (!found || call.parts[5] !== 'messages' || this.state.streams.has(call.parts[4] ?? '')) return null;
    const prefix = `$KV.${found.bucket.name}.`;
    const key = (call.query.get('subject') ?? '').slice(prefix.length);
    const held = found.entries.get(key);
    const writes = held ? [held, ...(held.before ?? [])] : [];
    return page(writes.map(({ value, revision, at }) => ({ seq: String(revision), time: at, subject: prefix + key, headers: {}, size: value.length, payload: { encoding: 'utf8', data: value, truncated: false } })));
  }

  private value(found: TestingKv, key: string): object {
    const entry = found.entries.get(key);
    const revision = String(entry?.revision ?? 0);
    return { account_id: found.bucket.account_id, bucket: found.bucket.name, key, revision, encoding: 'utf8', value: entry?.value ?? '', size: (entry?.value ?? '').length, created_at: entry?.at, etag: `"${revision}"` };
  }

  objects(call: Call): Answer {
    const [, , , , name, part, item] = call.parts;
    if (!name) {
      if (call.method === 'GET') return page([...this.access.objects.values()].map((entry) => entry.bucket));
      const body = call.body as Partial<ObjectBucket> & { name: string };
      const made = makeObjects(body.name, body, [], this.state.now());
      this.access.objects.set(body.name, made);
      return [201, made.bucket];
    }
    const found = this.access.objects.get(name);
    if (!found) throw new Refusal(404, 'not_found', `No bucket ${name}.`);
    if (part === 'items') {
      if (!item) return page(found.items);
      found.items = found.items.filter((entry) => entry.name !== item);
      return [204, null];
    }
    if (call.method === 'PATCH') return this.patch(call, found.bucket);
    if (call.method === 'DELETE') {
      const answer = this.impact(found.bucket, {});
      if (this.dry(call)) return answer;
      this.access.objects.delete(name);
      return [204, null];
    }
    return [200, found.bucket];
  }
}

function read(entry: TestingKv): KvBucket {
  return { ...entry.bucket, values: [...entry.entries.values()].reduce((sum, held) => sum + held.revisions, 0) };
}
