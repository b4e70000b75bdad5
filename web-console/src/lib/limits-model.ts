import type { Account, AccountPatch } from '../api/types';
import { amount } from './amount';
import { jetStream } from './account-words';
import { bytesToSize, SIZE_UNITS, type SizeUnit, sizeToBytes } from './size';

export type LimitField =
  | 'connections'
  | 'leaf_nodes'
  | 'subscriptions'
  | 'payload_bytes'
  | 'imports'
  | 'exports'
  | 'js.storage_bytes'
  | 'js.memory_bytes'
  | 'js.streams'
  | 'js.consumers'
  | 'js.max_ack_pending'
  | 'js.storage_max_stream_bytes'
  | 'js.memory_max_stream_bytes';

export interface LimitRow {
  field: LimitField;
  name: string;
  effect: string;
  size: boolean;
}

export const LIMITS: readonly LimitRow[] = [
  { field: 'connections', name: 'Connections', effect: 'New clients are refused.', size: false },
  { field: 'leaf_nodes', name: 'Leaf nodes', effect: 'New leaf nodes are refused.', size: false },
  { field: 'subscriptions', name: 'Subscriptions', effect: 'New subscriptions are refused.', size: false },
  { field: 'payload_bytes', name: 'Largest message', effect: 'The publisher is disconnected.', size: true },
  { field: 'js.storage_bytes', name: 'Storage on file', effect: 'Publishing to file streams is refused.', size: true },
  { field: 'js.memory_bytes', name: 'Storage in memory', effect: 'Publishing to memory streams is refused.', size: true },
  { field: 'js.streams', name: 'Streams', effect: 'New streams are refused.', size: false },
  { field: 'js.consumers', name: 'Consumers', effect: 'New consumers are refused.', size: false },
  { field: 'js.max_ack_pending', name: 'Out for ack, a consumer', effect: 'Larger values are refused.', size: false },
  { field: 'js.storage_max_stream_bytes', name: 'Largest stream on file', effect: 'Larger streams are refused.', size: true },
  { field: 'js.memory_max_stream_bytes', name: 'Largest stream in memory', effect: 'Larger streams are refused.', size: true },
  { field: 'exports', name: 'Exports', effect: 'New exports are refused.', size: false },
  { field: 'imports', name: 'Imports', effect: 'New imports are refused.', size: false },
];

/** The broker takes 0 of these as no limit; of the others it means none of the thing. */
const ZERO_IS_NONE: readonly LimitField[] = ['js.streams', 'js.consumers'];

export function limitOf(account: Account, field: LimitField): number {
  const [group, name] = field.split('.');
  const value = Number(name ? jetStream(account)[name as 'streams'] : account.limits[group as 'connections']);
  return value === 0 && ZERO_IS_NONE.includes(field) ? -1 : value;
}

export function usedOf(account: Account, field: LimitField): number | null {
  switch (field) {
    case 'connections':
      return account.usage?.connections ?? null;
    case 'js.storage_bytes':
      return account.usage?.storage_bytes ?? null;
    case 'js.memory_bytes':
      return account.usage?.memory_bytes ?? null;
    case 'js.streams':
      return account.usage?.streams ?? null;
    case 'js.consumers':
      return account.usage?.consumers ?? null;
    default:
      return null;
  }
}

/** A limit as typed; empty is no limit. */
export interface LimitForm {
  text: string;
  unit: SizeUnit;
}

export function toLimitForm(value: number, size: boolean): LimitForm {
  if (value < 0) return { text: '', unit: 'MB' };
  if (!size) return { text: String(value), unit: 'B' };
  const found = bytesToSize(value);
  return { text: String(found.value), unit: found.unit };
}

export function limitValue(form: LimitForm, size: boolean): number {
  const value = amount(form.text);
  if (value === null) return -1;
  return size ? sizeToBytes(value, form.unit) : value;
}

export function limitProblem(form: LimitForm, { field, size }: Pick<LimitRow, 'field' | 'size'>): string | null {
  const value = amount(form.text);
  if (value === null) return null;
  if (value === 0 && ZERO_IS_NONE.includes(field)) return '0 means no limit to the broker; leave it empty for that.';
  if (Number.isNaN(value) || value < 0) return `${form.text} is not a limit; leave it empty for none.`;
  return size || Number.isInteger(value) ? null : `${form.text} is not a whole number.`;
}

/** The patch of the limits that differ. */
export function limitsPatch(account: Account, forms: Record<LimitField, LimitForm>): AccountPatch {
  const limits: Record<string, unknown> = {};
  const js: Record<string, unknown> = {};
  for (const row of LIMITS) {
    const next = limitValue(forms[row.field], row.size);
    if (next === limitOf(account, row.field)) continue;
    const [group, name] = row.field.split('.');
    if (name) js[name] = next;
    else limits[group as string] = next;
  }
  if (Object.keys(js).length) limits.jetstream = js;
  return Object.keys(limits).length ? { limits } : {};
}

export const LIMIT_UNITS = SIZE_UNITS;
