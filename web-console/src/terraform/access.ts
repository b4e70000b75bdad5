import { type Attribute, description, duration, flag, list, needed, number, object, objects, reference, size, text } from './attributes';

const permission = (name: string) => object(name, [list('allow'), list('deny')]);
const responses = object('responses', [
  { name: 'max', type: 'number', required: true },
  { name: 'ttl', type: 'duration', required: true },
]);

const jetStream: readonly Attribute[] = [
  size('memory', 'memory_bytes'),
  size('storage', 'storage_bytes'),
  number('streams'),
  number('consumers'),
  number('max_ack_pending'),
  size('memory_max_stream', 'memory_max_stream_bytes'),
  size('storage_max_stream', 'storage_max_stream_bytes'),
  flag('max_bytes_required', null),
];

export const PROJECT: readonly Attribute[] = [needed('name'), description, text('environment', { default: 'development' }), flag('deletion_protection', null)];

export const ACCOUNT: readonly Attribute[] = [
  needed('name'),
  reference('project', 'project_id'),
  object('limits', [
    number('connections'),
    number('leaf_nodes'),
    number('subscriptions'),
    size('payload', 'payload_bytes'),
    number('imports'),
    number('exports'),
    flag('wildcard_exports', null),
    flag('bearer_tokens_allowed', null),
    object('jetstream', jetStream),
    object('tiers', [object('r1', jetStream, { field: 'R1' }), object('r3', jetStream, { field: 'R3' }), object('r5', jetStream, { field: 'R5' })]),
  ]),
  object('default_permissions', [permission('publish'), permission('subscribe'), responses]),
  objects('mappings', [needed('subject'), objects('destinations', [needed('subject'), number('weight', 100), text('cluster')], { required: true })]),
  flag('deletion_protection', null),
];

export const SIGNING_KEY_GROUP: readonly Attribute[] = [
  needed('name'),
  reference('account', 'account_id'),
  description,
  object(
    'scope',
    [
      permission('publish'),
      permission('subscribe'),
      responses,
      number('subscriptions', -1),
      size('payload', 'payload_bytes', -1),
      size('data', 'data_bytes', -1),
      list('connection_types'),
      list('source_cidrs'),
      flag('bearer'),
    ],
    { field: 'template' },
  ),
];

export const USER: readonly Attribute[] = [needed('name'), reference('signing_key_group', 'signing_key_group_id'), flag('disabled'), duration('jwt_ttl'), list('tags')];

// A lifetime is no part of these: the provider takes one that is said later as a wish to rotate.
export const CREDENTIAL: readonly Attribute[] = [reference('user', 'user_id'), needed('public_key', { field: 'user_public_key' })];

export const USER_REVOCATION: readonly Attribute[] = [reference('account', 'account_id'), needed('public_key'), { name: 'before', type: 'time', required: true }, text('reason')];

export const EXPORT: readonly Attribute[] = [
  needed('name'),
  reference('account', 'account_id'),
  needed('subject'),
  needed('type'),
  description,
  text('response_type'),
  flag('token_required', true),
  number('account_token_position', 0),
  object('service_latency', [
    { name: 'sampling', type: 'number', required: true },
    needed('subject'),
  ]),
  flag('allow_trace'),
  flag('advertise'),
];

export const SHARE: readonly Attribute[] = [reference('export', 'export_id'), reference('target_account', 'target_account_id', false), text('target_public_key')];

export const IMPORT: readonly Attribute[] = [
  needed('name'),
  reference('account', 'account_id'),
  reference('remote_account', 'remote_account_id', false),
  text('remote_public_key'),
  reference('share', 'share_id', false),
  needed('type'),
  needed('subject'),
  text('local_subject'),
  flag('share_connection_info'),
  flag('allow_trace'),
];

export const SERVICE_ACCOUNT: readonly Attribute[] = [needed('name'), reference('project', 'project_id', false), description, flag('disabled')];

export const API_TOKEN: readonly Attribute[] = [reference('service_account', 'owner_id'), needed('name'), list('scopes', { required: true }), list('projects', { field: 'project_ids' }), list('cidrs'), flag('disabled')];

export const ROLE_ASSIGNMENT: readonly Attribute[] = [reference('principal', 'principal_id'), needed('role'), reference('project', 'project_id', false)];
