import { type Attribute, description, duration, flag, list, metadata, needed, number, object, objects, reference, size, text } from './attributes';

const transform: readonly Attribute[] = [needed('src'), needed('dest')];

const source: readonly Attribute[] = [
  needed('name'),
  { name: 'opt_start_seq', type: 'sequence', default: '0' },
  { name: 'opt_start_time', type: 'time' },
  text('filter_subject'),
  objects('subject_transforms', transform),
  object('external', [needed('api'), text('deliver')]),
  object('consumer', [text('name'), text('deliver_subject')]),
];

const placement = object('placement', [text('cluster'), list('tags')]);
const republish = object('republish', [text('src'), needed('dest'), flag('headers_only')]);

export const STREAM: readonly Attribute[] = [
  reference('account', 'account_id'),
  needed('name'),
  description,
  list('subjects'),
  text('retention', { default: 'limits' }),
  text('storage', { default: 'file' }),
  number('num_replicas'),
  number('max_consumers', -1),
  number('max_msgs', -1),
  number('max_msgs_per_subject', -1),
  size('max_bytes', 'max_bytes', -1),
  duration('max_age', '0s'),
  size('max_msg_size', 'max_msg_size', -1),
  text('discard', { default: 'old' }),
  flag('discard_new_per_subject'),
  duration('duplicate_window', '2m'),
  text('compression', { default: 'none' }),
  flag('no_ack'),
  flag('sealed'),
  flag('deny_delete'),
  flag('deny_purge'),
  flag('allow_rollup_hdrs'),
  flag('allow_direct', null),
  flag('mirror_direct'),
  flag('allow_msg_ttl'),
  duration('subject_delete_marker_ttl', '0s'),
  flag('allow_atomic'),
  flag('allow_batched'),
  flag('allow_msg_counter'),
  flag('allow_msg_schedules'),
  text('persist_mode', { default: 'default' }),
  placement,
  object('mirror', source),
  objects('sources', source),
  object('subject_transform', transform),
  republish,
  object('consumer_limits', [duration('inactive_threshold', '0s'), number('max_ack_pending', 0)]),
  metadata,
  flag('deletion_protection', null),
];

export const CONSUMER: readonly Attribute[] = [
  reference('account', 'account_id'),
  { ...reference('stream', 'stream_name'), key: (object) => `stream ${object.account_id}/${object.stream_name}` },
  needed('name'),
  description,
  text('deliver_policy', { default: 'all' }),
  { name: 'opt_start_seq', type: 'sequence', default: '0' },
  { name: 'opt_start_time', type: 'time' },
  text('ack_policy', { default: 'explicit' }),
  duration('ack_wait', '30s'),
  number('max_deliver', -1),
  list('backoff'),
  text('filter_subject'),
  list('filter_subjects'),
  text('replay_policy', { default: 'instant' }),
  text('sample_freq'),
  number('max_ack_pending'),
  number('max_waiting'),
  number('max_batch', 0),
  duration('max_expires', '0s'),
  size('max_bytes', 'max_bytes', 0),
  duration('inactive_threshold', '0s'),
  number('num_replicas', 0),
  flag('mem_storage'),
  flag('headers_only'),
  text('deliver_subject'),
  text('deliver_group'),
  flag('flow_control'),
  duration('idle_heartbeat', '0s'),
  number('rate_limit_bps', 0),
  list('priority_groups'),
  text('priority_policy', { default: 'none' }),
  duration('priority_timeout', '0s'),
  metadata,
];

const bucket: readonly Attribute[] = [
  reference('account', 'account_id'),
  needed('name'),
  description,
  text('storage', { default: 'file' }),
  number('num_replicas'),
  size('max_bytes', 'max_bytes', -1),
  duration('ttl', '0s'),
  flag('compression', null),
  placement,
  metadata,
  flag('deletion_protection', null),
];

export const KV_BUCKET: readonly Attribute[] = [
  ...bucket,
  number('history'),
  size('max_value_size', 'max_value_size', -1),
  duration('limit_marker_ttl', '0s'),
  object('mirror', source),
  objects('sources', source),
  republish,
];

export const OBJECT_BUCKET: readonly Attribute[] = bucket;

export const KV_ENTRY: readonly Attribute[] = [reference('account', 'account_id'), { ...reference('bucket', 'bucket'), key: (object) => `kv_bucket ${object.account_id}/${object.bucket}` }, needed('key'), needed('value')];
