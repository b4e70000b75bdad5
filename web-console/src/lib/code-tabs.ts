import type { ConsumerCreate, StreamCreate, StreamPatch } from '../api/types';
import type { CodeTab } from '../ui/Code';

/** Quotes for a POSIX shell, only where they are needed. */
export function shell(word: string): string {
  return /^[A-Za-z0-9_./:=@,+-]+$/.test(word) ? word : `'${word.replace(/'/g, `'\\''`)}'`;
}

function flags(pairs: readonly (string | null)[]): string {
  return pairs.filter((pair) => pair !== null).join(' \\\n  ');
}

const limit = (name: string, value: number | undefined) => (value === undefined || value < 0 ? null : `--${name}=${value}`);

export function streamAddCommand(config: StreamCreate): string {
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
    '--defaults',
  ]);
}

/** Until there are API tokens, a call outside the console carries the session of this browser. */
function curl(method: string, path: string, bodyText: string | null, extra: readonly string[] = []): string {
  return [
    '# session and CSRF token of a signed-in browser',
    flags([
      `curl -X ${method} ${shell(window.location.origin + path)}`,
      `--cookie "q_session=$PENSTOCK_SESSION"`,
      `-H "X-CSRF-Token: $PENSTOCK_CSRF" -H ${shell(`Origin: ${window.location.origin}`)}`,
      ...extra,
      bodyText === null ? null : `--data ${shell(bodyText)}`,
    ]),
  ].join('\n');
}

export function streamCreateTabs(account: string, config: StreamCreate): CodeTab[] {
  const json = JSON.stringify(config, null, 2);
  return [
    { name: 'JSON', language: 'json', text: json },
    { name: 'nats CLI', language: 'shell', text: streamAddCommand(config) },
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

export function streamEditTabs(account: string, name: string, etag: string, patch: StreamPatch): CodeTab[] {
  const json = JSON.stringify(patch, null, 2);
  const edits = Object.entries(patch).flatMap(([field, value]) => {
    if (field === 'subjects') return (value as string[]).map((subject) => `--subjects=${shell(subject)}`);
    return EDIT_FLAGS[field] ? [EDIT_FLAGS[field](value)] : [];
  });
  return [
    { name: 'JSON', language: 'json', text: json },
    { name: 'nats CLI', language: 'shell', text: flags([`nats stream edit ${shell(name)}`, ...edits, '--force']) },
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

export function consumerAddCommand(stream: string, config: ConsumerCreate): string {
  const filters = config.filter_subjects ?? (config.filter_subject ? [config.filter_subject] : []);
  return flags([
    `nats consumer add ${shell(stream)} ${shell(config.name || 'NAME')} --pull`,
    ...filters.map((subject) => `--filter=${shell(subject)}`),
    config.description ? `--description=${shell(config.description)}` : null,
    deliverFlag(config),
    `--ack=${config.ack_policy ?? 'explicit'}`,
    config.ack_wait ? `--wait=${config.ack_wait}` : null,
    limit('max-deliver', config.max_deliver),
    limit('max-pending', config.max_ack_pending),
    `--replay=${config.replay_policy ?? 'instant'}`,
    config.headers_only ? '--headers-only' : null,
    '--defaults',
  ]);
}

export function consumerCreateTabs(account: string, stream: string, config: ConsumerCreate): CodeTab[] {
  const json = JSON.stringify(config, null, 2);
  return [
    { name: 'JSON', language: 'json', text: json },
    { name: 'nats CLI', language: 'shell', text: consumerAddCommand(stream, config) },
    {
      name: 'curl',
      language: 'shell',
      text: curl('POST', `/v1/accounts/${account}/streams/${stream}/consumers`, json, ["-H 'Content-Type: application/json'"]),
    },
  ];
}
