import type { Impact } from '../api/types';
import type { ImpactRow } from '../ui/DangerDialog';
import { bytes, count } from './format';

const WORDS: [keyof Impact, string][] = [
  ['accounts', 'Accounts'],
  ['streams', 'Streams'],
  ['consumers', 'Consumers that stop'],
  ['users', 'Users that lose access or reconnect'],
  ['credentials', 'Credentials that stop working'],
  ['connections', 'Connections that are closed'],
  ['exports', 'Exports'],
  ['imports', 'Imports that stop working'],
  ['shares', 'Shares'],
  ['messages', 'Messages'],
  ['bytes', 'Size'],
  ['entries', 'Entries'],
];

/** What a dry run says, as rows; what is not touched is left out. */
export function impactRows(impact: Impact | undefined): ImpactRow[] {
  if (!impact) return [];
  return WORDS.filter(([field]) => impact[field] !== undefined && String(impact[field]) !== '0').map(([field, what]) => ({
    what,
    figure: field === 'bytes' ? bytes(impact.bytes ?? 0) : count(impact[field] ?? 0),
  }));
}
