import { type Answer, type Call, Refusal } from './call';
import { IDS, iso, newId } from './ids';
import type { TestingState } from './seed';
import { readStream } from './stream-routes';

/** The account itself: its limits and settings, deleting and restoring it. */
export class AccountRoutes {
  constructor(
    private readonly state: TestingState,
    private readonly log: (action: string, resource: string) => void,
  ) {}

  body(id: string, name: string, project: string = IDS.project): unknown {
    const at = iso(this.state.now());
    const streams = [...this.state.streams.values()];
    const settings = this.state.access.account;
    return {
      id,
      organization_id: IDS.org,
      project_id: project,
      name,
      public_key: 'AD5Q2TZCL7LQNP4G6WEWPN5K6CXVDWQR4FDNQ5B4QPZ3CTB4XKJ7N6Y',
      state: settings.state,
      deletion_protection: settings.deletion_protection,
      default_permissions: settings.default_permissions,
      mappings: settings.mappings,
      deleted_at: settings.deleted_at,
      purge_at: settings.purge_at,
      limits: {
        wildcard_exports: true,
        bearer_tokens_allowed: false,
        tiers: null,
        connections: 400,
        leaf_nodes: 0,
        subscriptions: -1,
        payload_bytes: 1_048_576,
        imports: -1,
        exports: -1,
        jetstream: {
          memory_bytes: 1_000_000_000,
          storage_bytes: this.state.storageLimit,
          streams: 100,
          consumers: 500,
          max_ack_pending: -1,
          memory_max_stream_bytes: -1,
          storage_max_stream_bytes: -1,
          max_bytes_required: false,
        },
        ...settings.limits,
      },
      usage: {
        streams: streams.length,
        consumers: streams.reduce((sum, entry) => sum + entry.consumers.size, 0),
        storage_bytes: streams.filter((entry) => entry.stream.storage === 'file').reduce((sum, entry) => sum + readStream(this.state, entry).state.bytes, 0),
        memory_bytes: streams.filter((entry) => entry.stream.storage === 'memory').reduce((sum, entry) => sum + readStream(this.state, entry).state.bytes, 0),
        connections: this.state.connections,
      },
      sync: { desired_generation: 412, observed_generation: 412, state: 'synced', last_error: null, since: at },
      created_at: at,
      updated_at: at,
      etag: `"v${settings.version}"`,
    };
  }

  answer(call: Call): Answer {
    const settings = this.state.access.account;
    const dry = call.query.get('dry_run') === 'true';
    if (call.method === 'GET') return [200, this.body(IDS.account, this.state.accountName)];
    if (call.headers.get('if-match') !== `"v${settings.version}"`) throw new Refusal(412, 'version_mismatch', 'The account was changed meanwhile.');
    const until = iso(this.state.now() + 7 * 86_400_000);
    const affected = { accounts: 1, streams: this.state.streams.size, users: this.state.users.length, connections: this.state.connections };
    if (call.method === 'DELETE') {
      if (settings.deletion_protection) throw new Refusal(409, 'deletion_protected', 'The account is protected from deletion.');
      if (dry) return [200, { valid: true, changes: [], affected, warnings: [`${this.state.connections} connections are closed.`], restorable_until: until }];
      Object.assign(settings, { state: 'deleted', deleted_at: iso(this.state.now()), purge_at: until });
      return [202, this.operation('account.delete')];
    }
    const { limits, name, ...rest } = call.body as { limits?: Record<string, unknown>; name?: string };
    const js = limits?.jetstream as { streams?: number } | undefined;
    if (js?.streams !== undefined && js.streams >= 0 && js.streams < this.state.streams.size) throw new Refusal(409, 'limit_below_usage', `${this.state.streams.size} streams are in use; the limit cannot be ${js.streams}.`);
    if (dry) return [200, { valid: true, changes: [], affected: {}, warnings: [], restorable_until: null }];
    const before = (this.body(IDS.account, this.state.accountName) as { limits: { jetstream: object } }).limits.jetstream;
    if (limits) settings.limits = { ...settings.limits, ...limits, ...(js ? { jetstream: { ...before, ...js } } : {}) } as typeof settings.limits;
    Object.assign(settings, rest);
    if (name) this.state.accountName = name;
    settings.version += 1;
    this.log('account.updated', '');
    return [200, this.body(IDS.account, this.state.accountName)];
  }

  operation(kind: string): unknown {
    const at = iso(this.state.now());
    const step = (name: string) => ({ name, state: 'succeeded' as const, error: null });
    const made = { id: newId('op'), kind, state: 'succeeded' as const, target: `/v1/accounts/${IDS.account}`, steps: [step('close_connections'), step('broker_sync')], created_by: this.state.person.name, created_at: at, updated_at: at, error: null };
    this.state.access.operations.unshift(made);
    return made;
  }
}
