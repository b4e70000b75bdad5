import type { Account, ApiToken, Export, Import, Invitation, KvBucket, Member, ObjectBucket, ObjectItem, Operation, Revocation, RoleAssignment, ServiceAccount, Share } from '../src/api/types';
import { IDS, iso, newId } from './ids';

export interface TestingKv {
  bucket: KvBucket;
  entries: Map<string, { value: string; revision: number; at: string; revisions: number; before?: { value: string; revision: number; at: string }[] }>;
  next: number;
}

/** People, tokens, sharing, buckets and settings of a testing API. */
export interface AccessState {
  members: Member[];
  invitations: Invitation[];
  assignments: RoleAssignment[];
  serviceAccounts: ServiceAccount[];
  tokens: ApiToken[];
  exports: Export[];
  shares: Share[];
  imports: Import[];
  revocations: Revocation[];
  kv: Map<string, TestingKv>;
  objects: Map<string, { bucket: ObjectBucket; items: ObjectItem[] }>;
  operations: Operation[];
  /** What the settings change of the account. */
  account: Pick<Account, 'state' | 'deletion_protection' | 'default_permissions' | 'mappings' | 'deleted_at' | 'purge_at'> & { limits: Partial<Account['limits']>; version: number };
  permissions: string[] | null;
}

export const ME = 'usrp_01J9ZQ4T7YJ3M5X8R2B6C0D1EF';

export function emptyAccess(now: number, person: { email: string; name: string }): AccessState {
  const at = iso(now - 90 * 86_400_000);
  return {
    members: [{ id: ME, organization_id: IDS.org, email: person.email, name: person.name, role: 'owner', joined_at: at, last_login_at: iso(now - 3_600_000), etag: '"v1"' }],
    invitations: [],
    assignments: [assignment({ kind: 'user', id: ME, name: person.email }, 'owner', null, now)],
    serviceAccounts: [],
    tokens: [],
    exports: [],
    shares: [],
    imports: [],
    revocations: [],
    kv: new Map(),
    objects: new Map(),
    operations: [],
    account: { state: 'active', deletion_protection: false, default_permissions: null, mappings: [], deleted_at: null, purge_at: null, limits: {}, version: 1 },
    permissions: null,
  };
}

export function assignment(principal: RoleAssignment['principal'], role: RoleAssignment['role'], project: string | null, now: number): RoleAssignment {
  return { id: newId('ra'), organization_id: IDS.org, project_id: project, principal, role, created_at: iso(now - 86_400_000), created_by: ME, etag: '"v1"' };
}

/** What a key held before: as many writes as its count says. */
function earlier(value: string, at: number, now: number) {
  return Array.from({ length: at % 3 }, (_, i) => ({ value: value.replace(/\d/, '1'), revision: 10 * at + 6 - i, at: iso(now - (at + 1) * 600_000 - (i + 1) * 86_400_000) }));
}

export function makeKv(name: string, change: Partial<KvBucket>, values: Record<string, string>, now: number): TestingKv {
  const entries = new Map(Object.entries(values).map(([key, value], i) => [key, { value, revision: 10 * i + 7, at: iso(now - (i + 1) * 600_000), revisions: 1 + (i % 3), before: earlier(value, i, now) }]));
  return {
    entries,
    next: 10 * entries.size + 1,
    bucket: {
      account_id: IDS.account,
      name,
      stream_name: `KV_${name}`,
      description: '',
      storage: 'file',
      num_replicas: 1,
      max_bytes: -1,
      ttl: '0s',
      compression: false,
      placement: null,
      metadata: {},
      deletion_protection: false,
      history: 1,
      max_value_size: -1,
      limit_marker_ttl: '0s',
      mirror: null,
      sources: [],
      republish: null,
      values: entries.size,
      bytes: [...entries.values()].reduce((sum, entry) => sum + entry.value.length + 60, 0),
      created_at: iso(now - 40 * 86_400_000),
      cluster: null,
      etag: '"v1"',
      ...change,
    },
  };
}

export function makeObjects(name: string, change: Partial<ObjectBucket>, items: ObjectItem[], now: number): { bucket: ObjectBucket; items: ObjectItem[] } {
  return {
    items,
    bucket: {
      account_id: IDS.account,
      name,
      stream_name: `OBJ_${name}`,
      description: '',
      storage: 'file',
      num_replicas: 1,
      max_bytes: -1,
      ttl: '0s',
      compression: false,
      placement: null,
      metadata: {},
      deletion_protection: false,
      sealed: false,
      bytes: items.reduce((sum, item) => sum + item.size, 0),
      created_at: iso(now - 40 * 86_400_000),
      cluster: null,
      etag: '"v1"',
      ...change,
    },
  };
}

export function item(name: string, size: number, now: number): ObjectItem {
  return { name, description: null, size, chunks: Math.ceil(size / 131_072), digest: 'SHA-256=8Q2tzcl7lqnp4g6wewpn5k6cxvdwqr4fdnq5b4qpz3c=', modified_at: iso(now - 7_200_000), metadata: {}, link: null };
}

const synced = (now: number): Export['sync'] => ({ desired_generation: 3, observed_generation: 3, state: 'synced', last_error: null, since: iso(now) });

export function makeExport(change: Pick<Export, 'name' | 'subject' | 'type'> & Partial<Export>, now: number): Export {
  return {
    id: newId('exp'),
    account_id: IDS.account,
    description: '',
    response_type: change.type === 'service' ? 'singleton' : null,
    token_required: true,
    account_token_position: 0,
    service_latency: null,
    allow_trace: false,
    advertise: false,
    share_count: 0,
    sync: synced(now),
    created_at: iso(now - 86_400_000),
    updated_at: iso(now - 86_400_000),
    etag: '"v1"',
    ...change,
  };
}

export function makeImport(change: Pick<Import, 'name' | 'subject' | 'type'> & Partial<Import>, now: number): Import {
  return {
    id: newId('imp'),
    account_id: IDS.account,
    local_subject: null,
    share_connection_info: false,
    allow_trace: false,
    remote_account_id: null,
    remote_public_key: 'ADUQ2TZCL7LQNP4G6WEWPN5K6CXVDWQR4FDNQ5B4QPZ3CTB4XKJ7N6YA',
    share_id: null,
    activation: 'share',
    state: 'active',
    expires_at: null,
    sync: synced(now),
    created_at: iso(now - 86_400_000),
    updated_at: iso(now - 86_400_000),
    etag: '"v1"',
    ...change,
  };
}

export function makeToken(owner: ApiToken['owner'], name: string, change: Partial<ApiToken>, now: number): ApiToken {
  return {
    id: newId('tok'),
    organization_id: IDS.org,
    kind: owner.kind === 'user' ? 'personal' : 'service_account',
    owner,
    name,
    prefix: owner.kind === 'user' ? 'pst_pat_4Kq9' : 'pst_sat_7Wz2',
    scopes: ['*:read'],
    project_ids: [],
    cidrs: [],
    state: 'active',
    expires_at: iso(now + 60 * 86_400_000),
    previous_valid_until: null,
    last_used_at: null,
    last_used_ip: null,
    created_at: iso(now - 30 * 86_400_000),
    created_by: ME,
    updated_at: iso(now - 30 * 86_400_000),
    etag: '"v1"',
    ...change,
  };
}

/** The same for an account in full use. */
export function freightAccess(now: number, person: { email: string; name: string }): AccessState {
  const state = emptyAccess(now, person);
  const people: [string, string, Member['role'], number | null][] = [
    ['Ruben Aalto', 'ruben@meridian-freight.example', 'admin', 40 * 60_000],
    ['Salome Brandt', 'salome@meridian-freight.example', 'developer', 3 * 86_400_000],
    ['', 'accounts-payable@meridian-freight.example', 'billing', null],
  ];
  for (const [name, email, role, seen] of people) {
    const id = newId('usrp');
    state.members.push({ id, organization_id: IDS.org, email, name, role, joined_at: iso(now - 60 * 86_400_000), last_login_at: iso(now - (seen ?? 50 * 86_400_000)), etag: '"v1"' });
    if (role) state.assignments.push(assignment({ kind: 'user', id, name: email }, role, null, now));
  }
  const me = { kind: 'user' as const, id: ME, name: person.email };
  state.invitations.push(
    { id: newId('inv'), organization_id: IDS.org, project_id: null, email: 'jonas@meridian-freight.example', role: 'developer', state: 'pending', invited_by: me, created_at: iso(now - 86_400_000), expires_at: iso(now + 6 * 86_400_000), last_sent_at: iso(now - 86_400_000), accepted_at: null, etag: '"v1"' },
    { id: newId('inv'), organization_id: IDS.org, project_id: null, email: 'salome@meridian-freight.example', role: 'developer', state: 'accepted', invited_by: me, created_at: iso(now - 70 * 86_400_000), expires_at: iso(now - 63 * 86_400_000), last_sent_at: iso(now - 70 * 86_400_000), accepted_at: iso(now - 60 * 86_400_000), etag: '"v1"' },
  );
  const ci: ServiceAccount = { id: newId('sa'), organization_id: IDS.org, project_id: null, name: 'ci', description: 'Terraform in the pipeline', disabled: false, token_count: 2, created_at: iso(now - 80 * 86_400_000), created_by: ME, updated_at: iso(now - 80 * 86_400_000), etag: '"v1"' };
  const grafana: ServiceAccount = { ...ci, id: newId('sa'), name: 'grafana', description: 'Reads for dashboards', token_count: 0, project_id: IDS.project };
  state.serviceAccounts.push(ci, grafana);
  const owner = { kind: 'service_account' as const, id: ci.id, name: 'ci' };
  state.assignments.push(assignment(owner, 'admin', IDS.project, now));
  state.tokens.push(
    makeToken(owner, 'deploy', { scopes: ['streams:write', 'streams:read', 'consumers:write', 'consumers:read', 'kv:write'], cidrs: ['198.51.100.0/24'], last_used_at: iso(now - 240_000), last_used_ip: '198.51.100.12' }, now),
    makeToken(owner, 'plan', { scopes: ['*:read'], expires_at: iso(now + 4 * 86_400_000), last_used_at: iso(now - 7_200_000), last_used_ip: '198.51.100.12' }, now),
    makeToken(me, 'laptop', { last_used_at: iso(now - 9_000_000), last_used_ip: '203.0.113.7' }, now),
  );
  const events = makeExport({ name: 'order-events', subject: 'orders.eu.>', type: 'stream', description: 'Orders of the shops in Europe', share_count: 2 }, now);
  state.exports.push(events, makeExport({ name: 'quotes', subject: 'quotes.get', type: 'service', token_required: false, advertise: true }, now));
  const share = (state_: Share['state'], target: string | null): Share => ({ id: newId('shr'), export_id: events.id, account_id: IDS.account, target_account_id: target, target_public_key: 'ABQ2TZCL7LQNP4G6WEWPN5K6CXVDWQR4FDNQ5B4QPZ3CTB4XKJ7N6YEA', state: state_, expires_at: null, decided_at: null, created_at: iso(now - 86_400_000), updated_at: iso(now - 86_400_000), etag: '"v1"' });
  state.shares.push(share('accepted', 'acct_analytics'), { ...share('offered', null), expires_at: iso(now + 30 * 86_400_000) });
  state.imports.push(
    makeImport({ name: 'rates', subject: 'fx.rates.*', local_subject: 'rates.$1', type: 'stream', remote_account_id: 'acct_analytics' }, now),
    makeImport({ name: 'geocoder', subject: 'geo.lookup', type: 'service', state: 'revoked' }, now),
  );
  state.revocations.push(
    { account_id: IDS.account, public_key: 'UBQ2TZCL7LQNP4G6WEWPN5K6CXVDWQR4FDNQ5B4QPZ3CTB4XKJ7N6Y5E', before: iso(now - 5 * 86_400_000), reason: 'laptop stolen', created_at: iso(now - 5 * 86_400_000), valid_until: iso(now + 20 * 86_400_000) },
    { account_id: IDS.account, public_key: 'UDTHQ2TZCL7LQNP4G6WEWPN5K6CXVDWQR4FDNQ5B4QPZ3CTB4XKJ7N6Y', before: iso(now - 100 * 86_400_000), reason: '', created_at: iso(now - 100 * 86_400_000), valid_until: null },
  );
  state.kv.set('settings', makeKv('settings', { description: 'What the services read at start', history: 10, num_replicas: 3, cluster: { name: 'eu-central-1', leader: 'eu-c-1', raft_group: 'pg-03', replicas: [{ name: 'eu-a-1', current: true, offline: false, active: '90ms', lag: '0' }, { name: 'eu-b-1', current: true, offline: false, active: '90ms', lag: '0' }] } }, { 'checkout.fees': '{"eur":1.2,"usd":1.4,"free_above":80}', 'limits.daily': '25000', 'limits.monthly': '400000', 'routing.eta.model': 'gbm-14', 'routing.eta.fallback': 'table' }, now));
  state.kv.set('sessions', makeKv('sessions', { ttl: '1h0m0s', storage: 'memory' }, Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`driver.${(i * 7919 + 1000).toString(36)}`, `{"truck":${i + 3}}`])), now));
  state.objects.set('labels', makeObjects('labels', { description: 'Printed labels, for reprints', max_bytes: 5_000_000_000, ttl: '720h0m0s' }, [item('2026/11/30/ord_8Q2f.pdf', 84_211, now), item('2026/11/30/ord_8Q1z.pdf', 91_834, now), item('templates/pallet.svg', 1_240_118, now)], now));
  state.account.mappings = [{ subject: 'eta.request.*', destinations: [{ subject: 'eta.v1.$1', weight: 90 }, { subject: 'eta.v2.$1', weight: 10 }] }];
  state.account.deletion_protection = true;
  return state;
}
