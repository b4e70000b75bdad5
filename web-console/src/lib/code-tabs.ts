import type { Consumer, ConsumerCreate, ConsumerPatch, StreamCreate, StreamPatch } from '../api/types';
import { render, type TerraformKind } from '../terraform/render';
import { consumerToBroker, streamToBroker } from './broker-json';
import type { CodeTab } from '../ui/Code';

/** Quotes for a POSIX shell, only where they are needed. */
export function shell(word: string): string {
  return /^[A-Za-z0-9_./:=@,+-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}

function flags(pairs: readonly (string | null)[]): string {
  return pairs.filter((pair) => pair !== null).join(' \\\n  ');
}

const limit = (name: string, value: number | undefined) => (value === undefined || value < 0 ? null : `--${name}=${value}`);

/** What the CLI's flags cannot say; the same is then asked of the broker's API itself. */
function beyondFlags(config: StreamCreate): boolean {
  const rich = (source: NonNullable<StreamCreate['mirror']>) => Object.keys(source).length > 1;
  return (config.mirror !== undefined && rich(config.mirror)) || (config.sources ?? []).some(rich);
}

function brokerRequest(subject: string, config: object): string {
  return `nats request ${shell(subject)} ${shell(JSON.stringify(config))}`;
}

const meta = (map: Record<string, string> | undefined) => Object.entries(map ?? {}).map(([key, value]) => `--metadata=${shell(`${key}=${value}`)}`);

function richFlags(config: StreamCreate): (string | null)[] {
  const { placement, republish, subject_transform: transform, consumer_limits: limits } = config;
  return [
    config.num_replicas && config.num_replicas > 1 ? `--replicas=${config.num_replicas}` : null,
    config.mirror ? `--mirror=${shell(config.mirror.name)}` : null,
    ...(config.sources ?? []).map((source) => `--source=${shell(source.name)}`),
    limit('max-consumers', config.max_consumers),
    config.discard_new_per_subject ? '--discard-per-subject' : null,
    config.allow_msg_ttl ? '--allow-msg-ttl' : null,
    config.subject_delete_marker_ttl ? `--subject-del-markers-ttl=${config.subject_delete_marker_ttl}` : null,
    config.first_seq ? `--first-sequence=${config.first_seq}` : null,
    config.persist_mode === 'async' ? '--persist-mode=async' : null,
    placement?.cluster ? `--cluster=${shell(placement.cluster)}` : null,
    ...(placement?.tags ?? []).map((tag) => `--tag=${shell(tag)}`),
    config.no_ack ? '--no-ack' : null,
    config.mirror_direct ? '--allow-mirror-direct' : null,
    config.allow_atomic ? '--allow-batch' : null,
    config.allow_batched ? '--allow-fast' : null,
    config.allow_msg_counter ? '--allow-counter' : null,
    config.allow_msg_schedules ? '--allow-schedules' : null,
    transform ? `--transform-source=${shell(transform.src || '>')}` : null,
    transform ? `--transform-destination=${shell(transform.dest)}` : null,
    republish ? `--republish-source=${shell(republish.src || '>')}` : null,
    republish ? `--republish-destination=${shell(republish.dest)}` : null,
    republish?.headers_only ? '--republish-headers' : null,
    limits?.inactive_threshold ? `--limit-consumer-inactive=${limits.inactive_threshold}` : null,
    limits?.max_ack_pending ? `--limit-consumer-max-pending=${limits.max_ack_pending}` : null,
    ...meta(config.metadata),
  ];
}

export function streamAddCommand(config: StreamCreate): string {
  if (beyondFlags(config)) return brokerRequest(`$JS.API.STREAM.CREATE.${config.name || 'NAME'}`, streamToBroker(config));
  return flags([
    `nats stream add ${shell(config.name || 'NAME')}`,
    ...(config.subjects ?? []).map((subject) => `--subjects=${shell(subject)}`),
    config.description ? `--description=${shell(config.description)}` : null,
    `--retention=${config.retention === 'workqueue' ? 'work' : (config.retention ?? 'limits')}`,
    `--storage=${config.storage ?? 'file'}`,
    `--discard=${config.discard ?? 'old'}`,
    config.max_age && config.max_age !== '0s' ? `--max-age=${config.max_age}` : null,
    limit('max-bytes', config.max_bytes),
    limit('max-msgs', config.max_msgs),
    limit('max-msgs-per-subject', config.max_msgs_per_subject),
    limit('max-msg-size', config.max_msg_size),
    config.duplicate_window ? `--dupe-window=${config.duplicate_window}` : null,
    config.compression === 's2' ? '--compression=s2' : null,
    config.allow_direct ? '--allow-direct' : null,
    config.allow_rollup_hdrs ? '--allow-rollup' : null,
    config.deny_delete ? '--deny-delete' : null,
    config.deny_purge ? '--deny-purge' : null,
    ...richFlags(config),
    '--defaults',
  ]);
}

/** Works with any API token that has the right; Access, Service accounts makes one. */
export function curl(method: string, path: string, bodyText: string | null, extra: readonly string[] = []): string {
  return flags([
    `curl -X ${method} ${shell(window.location.origin + path)}`,
    '-H "Authorization: Bearer $PENSTOCK_TOKEN"',
    ...extra,
    bodyText === null ? null : `--data ${shell(bodyText)}`,
  ]);
}

/** The resource that makes the same, and the block that takes an existing one over. */
export function terraformTab(kind: TerraformKind, object: object, existing = false): CodeTab {
  const made = render(kind, object);
  return { name: 'Terraform', language: 'hcl', text: existing ? `${made.resource}\n${made.importBlock}` : made.resource };
}

export function streamCreateTabs(account: string, config: StreamCreate, existing = false): CodeTab[] {
  const json = JSON.stringify(config, null, 2);
  return [
    { name: 'JSON', language: 'json', text: json },
    { name: 'nats CLI', language: 'shell', text: streamAddCommand(config) },
    terraformTab('stream', { account_id: account, ...config }, existing),
    {
      name: 'curl',
      language: 'shell',
      text: curl('POST', `/v1/accounts/${account}/streams`, json, ["-H 'Content-Type: application/json'"]),
    },
  ];
}

const EDIT_FLAGS: Record<string, (value: unknown) => string> = {
  description: (value) => `--description=${shell(String(value))}`,
  max_age: (value) => `--max-age=${String(value)}`,
  max_bytes: (value) => `--max-bytes=${String(value)}`,
  max_msgs: (value) => `--max-msgs=${String(value)}`,
  max_msgs_per_subject: (value) => `--max-msgs-per-subject=${String(value)}`,
  max_msg_size: (value) => `--max-msg-size=${String(value)}`,
  discard: (value) => `--discard=${String(value)}`,
  duplicate_window: (value) => `--dupe-window=${String(value)}`,
  compression: (value) => `--compression=${String(value)}`,
  allow_direct: (value) => (value ? '--allow-direct' : '--no-allow-direct'),
  allow_rollup_hdrs: (value) => (value ? '--allow-rollup' : '--no-allow-rollup'),
  deny_delete: (value) => (value ? '--deny-delete' : '--no-deny-delete'),
  deny_purge: (value) => (value ? '--deny-purge' : '--no-deny-purge'),
};

const CONSUMER_EDIT: Record<string, (value: unknown) => string> = {
  description: (value) => `--description=${shell(String(value ?? ''))}`,
  ack_wait: (value) => `--wait=${String(value)}`,
  max_deliver: (value) => `--max-deliver=${String(value)}`,
  max_ack_pending: (value) => `--max-pending=${String(value)}`,
  sample_freq: (value) => `--sample=${String(value ?? '0').replace('%', '')}`,
  headers_only: (value) => (value ? '--headers-only' : '--no-headers-only'),
  filter_subject: (value) => (value ? `--filter=${shell(String(value))}` : ''),
  filter_subjects: (value) => ((value as string[] | null) ?? []).map((subject) => `--filter=${shell(subject)}`).join(' '),
  inactive_threshold: (value) => `--inactive-threshold=${String(value ?? '0s')}`,
  max_batch: (value) => `--max-pull-batch=${String(value ?? 0)}`,
  max_bytes: (value) => `--max-pull-bytes=${String(value ?? 0)}`,
  max_expires: (value) => `--max-pull-expire=${String(value ?? '0s')}`,
  num_replicas: (value) => `--replicas=${String(value ?? 0)}`,
};

/** Flags of an edit, and the fields that the CLI has no flag for. */
function editFlags(known: Record<string, (value: unknown) => string>, patch: object): { edits: string[]; rest: string[] } {
  const edits: string[] = [];
  const rest: string[] = [];
  for (const [field, value] of Object.entries(patch)) {
    if (field === 'subjects') edits.push(...((value as string[]) ?? []).map((subject) => `--subjects=${shell(subject)}`));
    else if (known[field]) edits.push(known[field](value));
    else rest.push(field);
  }
  return { edits: edits.filter(Boolean), rest };
}

function editCommand(start: string, { edits, rest }: { edits: string[]; rest: string[] }): string {
  const note = rest.length ? `# ${rest.join(', ')}: no flag of the CLI; send the JSON with curl\n` : '';
  return note + (edits.length || !rest.length ? flags([start, ...edits, '--force']) : `${start} --config=FILE`);
}

/** `after` is the stream as it will be: Terraform says what is, not what changes. */
export function streamEditTabs(account: string, name: string, etag: string, patch: StreamPatch, after: object): CodeTab[] {
  const json = JSON.stringify(patch, null, 2);
  return [
    { name: 'JSON', language: 'json', text: json },
    { name: 'nats CLI', language: 'shell', text: editCommand(`nats stream edit ${shell(name)}`, editFlags(EDIT_FLAGS, patch)) },
    terraformTab('stream', after),
    {
      name: 'curl',
      language: 'shell',
      text: curl('PATCH', `/v1/accounts/${account}/streams/${name}`, json, [
        "-H 'Content-Type: application/merge-patch+json'",
        `-H ${shell(`If-Match: ${etag}`)}`,
      ]),
    },
  ];
}

export function consumerEditTabs(account: string, consumer: Consumer, patch: ConsumerPatch, after: object): CodeTab[] {
  const json = JSON.stringify(patch, null, 2);
  return [
    { name: 'JSON', language: 'json', text: json },
    { name: 'nats CLI', language: 'shell', text: editCommand(`nats consumer edit ${shell(consumer.stream_name)} ${shell(consumer.name)}`, editFlags(CONSUMER_EDIT, patch)) },
    terraformTab('consumer', after),
    {
      name: 'curl',
      language: 'shell',
      text: curl('PATCH', `/v1/accounts/${account}/streams/${consumer.stream_name}/consumers/${consumer.name}`, json, [
        "-H 'Content-Type: application/merge-patch+json'",
        `-H ${shell(`If-Match: ${consumer.etag}`)}`,
      ]),
    },
  ];
}

function deliverFlag(config: ConsumerCreate): string {
  switch (config.deliver_policy) {
    case 'by_start_sequence':
      return `--deliver=${config.opt_start_seq ?? '1'}`;
    case 'by_start_time':
      return `--deliver=${config.opt_start_time ?? ''}`;
    case 'last_per_subject':
      return '--deliver=subject';
    default:
      return `--deliver=${config.deliver_policy ?? 'all'}`;
  }
}

function consumerBeyondFlags(config: ConsumerCreate): boolean {
  return Boolean(config.backoff?.length);
}

const GROUP_FLAG = { overflow: 'overflow-groups', pinned_client: 'pinned-groups', prioritized: 'prioritized-groups', none: '' };

function consumerRichFlags(config: ConsumerCreate): (string | null)[] {
  const group = GROUP_FLAG[config.priority_policy ?? 'none'];
  return [
    config.sample_freq ? `--sample=${config.sample_freq.replace('%', '')}` : null,
    config.inactive_threshold ? `--inactive-threshold=${config.inactive_threshold}` : null,
    limit('max-waiting', config.max_waiting),
    limit('max-pull-batch', config.max_batch),
    limit('max-pull-bytes', config.max_bytes),
    config.max_expires ? `--max-pull-expire=${config.max_expires}` : null,
    ...(group ? (config.priority_groups ?? []).map((name) => `--${group}=${shell(name)}`) : []),
    config.priority_timeout ? `--pinned-ttl=${config.priority_timeout}` : null,
    config.deliver_group ? `--deliver-group=${shell(config.deliver_group)}` : null,
    config.flow_control ? '--flow-control' : null,
    config.idle_heartbeat ? `--heartbeat=${config.idle_heartbeat}` : null,
    config.rate_limit_bps ? `--bps=${config.rate_limit_bps}` : null,
    config.num_replicas ? `--replicas=${config.num_replicas}` : null,
    config.mem_storage ? '--memory' : null,
    ...meta(config.metadata),
  ];
}

export function consumerAddCommand(stream: string, config: ConsumerCreate): string {
  if (consumerBeyondFlags(config)) {
    return brokerRequest(`$JS.API.CONSUMER.CREATE.${stream}.${config.name || 'NAME'}`, { stream_name: stream, config: consumerToBroker(config), action: 'create' });
  }
  const filters = config.filter_subjects ?? (config.filter_subject ? [config.filter_subject] : []);
  return flags([
    `nats consumer add ${shell(stream)} ${shell(config.name || 'NAME')} ${config.deliver_subject ? `--target=${shell(config.deliver_subject)}` : '--pull'}`,
    ...filters.map((subject) => `--filter=${shell(subject)}`),
    config.description ? `--description=${shell(config.description)}` : null,
    deliverFlag(config),
    `--ack=${config.ack_policy ?? 'explicit'}`,
    config.ack_wait ? `--wait=${config.ack_wait}` : null,
    limit('max-deliver', config.max_deliver),
    limit('max-pending', config.max_ack_pending),
    `--replay=${config.replay_policy ?? 'instant'}`,
    config.headers_only ? '--headers-only' : null,
    ...consumerRichFlags(config),
    '--defaults',
  ]);
}

export function consumerCreateTabs(account: string, stream: string, config: ConsumerCreate, existing = false): CodeTab[] {
  const json = JSON.stringify(config, null, 2);
  return [
    { name: 'JSON', language: 'json', text: json },
    { name: 'nats CLI', language: 'shell', text: consumerAddCommand(stream, config) },
    terraformTab('consumer', { account_id: account, stream_name: stream, ...config }, existing),
    {
      name: 'curl',
      language: 'shell',
      text: curl('POST', `/v1/accounts/${account}/streams/${stream}/consumers`, json, ["-H 'Content-Type: application/json'"]),
    },
  ];
}
