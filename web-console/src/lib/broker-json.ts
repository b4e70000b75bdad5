import type { ConsumerCreate, StreamCreate } from '../api/types';
import { parseDuration } from './duration';

const SPANS = new Set(['max_age', 'duplicate_window', 'subject_delete_marker_ttl', 'inactive_threshold', 'ack_wait', 'max_expires', 'idle_heartbeat', 'priority_timeout']);
const NUMBERS = new Set(['opt_start_seq', 'first_seq']);

/** The API writes durations and sequences as text; the broker counts nanoseconds and has numbers. */
function toBroker(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((entry) => (field === 'backoff' ? nanos(String(entry)) : toBroker(entry)));
  if (typeof value === 'object' && value !== null) {
    if (field === 'metadata') return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, toBroker(entry, key)]));
  }
  if (typeof value === 'string' && SPANS.has(field)) return nanos(value);
  if (typeof value === 'string' && NUMBERS.has(field)) return Number(value);
  return value;
}

function nanos(text: string): number {
  return Math.round((parseDuration(text) ?? 0) * 1e6);
}

export function streamToBroker(config: StreamCreate): object {
  return toBroker(config) as object;
}

export function consumerToBroker(config: ConsumerCreate): object {
  const made = toBroker(config) as Record<string, unknown>;
  return config.inactive_threshold ? made : { ...made, durable_name: config.name };
}
