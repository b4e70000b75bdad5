import { durationShort } from './duration';
import { bytes, count } from './format';

const SIZES = new Set(['max_bytes', 'max_msg_size']);
const SPANS = new Set(['max_age', 'duplicate_window', 'ack_wait', 'inactive_threshold', 'idle_heartbeat', 'max_expires']);
const COUNTS = new Set(['max_msgs', 'max_msgs_per_subject', 'max_consumers', 'max_ack_pending', 'max_deliver', 'max_waiting', 'max_batch']);

/** A configuration value in words: -1 and "0s" are no limit, sizes have units. */
export function configValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'not set';
  if (SIZES.has(field)) return Number(value) < 0 ? 'no limit' : bytes(Number(value));
  if (SPANS.has(field)) return value === '0s' || value === '0' ? 'no limit' : durationShort(String(value));
  if (COUNTS.has(field)) return Number(value) < 0 ? 'no limit' : count(Number(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((entry) => (typeof entry === 'string' ? entry : JSON.stringify(entry))).join(', ') || 'none';
  if (typeof value === 'object') {
    const entries = Object.entries(value);
    if (entries.length === 0) return 'none';
    return entries.map(([key, entry]) => `${key}: ${typeof entry === 'string' ? entry : JSON.stringify(entry)}`).join(', ');
  }
  return String(value);
}
