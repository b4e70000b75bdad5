import type { ApiTokenCreate, TokenScope } from '../api/types';
import { type FormUnit, formToMs, toDuration } from './duration';
import { slugProblem } from './roles';

/** What a token may be given, as rows of read and write. */
export const SCOPE_ROWS: readonly { what: string; read: TokenScope | null; write: TokenScope | null }[] = [
  { what: 'Streams', read: 'streams:read', write: 'streams:write' },
  { what: 'Consumers', read: 'consumers:read', write: 'consumers:write' },
  { what: 'Messages', read: 'messages:read', write: 'messages:write' },
  { what: 'KV buckets', read: 'kv:read', write: 'kv:write' },
  { what: 'Object buckets', read: 'objects:read', write: 'objects:write' },
  { what: 'Accounts', read: 'accounts:read', write: 'accounts:write' },
  { what: 'Projects', read: 'projects:read', write: 'projects:write' },
  { what: 'Signing-key groups', read: 'signing_keys:read', write: 'signing_keys:write' },
  { what: 'Credentials', read: 'credentials:read', write: 'credentials:write' },
  { what: 'Sharing', read: 'sharing:read', write: 'sharing:write' },
  { what: 'Members', read: 'members:read', write: 'members:write' },
  { what: 'Service accounts', read: 'service_accounts:read', write: 'service_accounts:write' },
  { what: 'Organisation', read: 'organization:read', write: 'organization:write' },
  { what: 'Audit log', read: 'audit:read', write: null },
];

export interface TokenForm {
  name: string;
  /** Everything its owner may; all reading; or what is ticked. */
  breadth: 'all' | 'read' | 'chosen';
  scopes: TokenScope[];
  projects: string[];
  cidrs: string[];
  life: string;
  lifeUnit: FormUnit;
}

export const EMPTY_TOKEN: TokenForm = { name: '', breadth: 'chosen', scopes: [], projects: [], cidrs: [], life: '90', lifeUnit: 'days' };

export type TokenErrors = Partial<Record<'name' | 'scopes' | 'cidrs' | 'life', string>>;

/** Why text is not an address range; null when it is one. */
export function cidrProblem(text: string): string | null {
  const [address = '', bits, more] = text.split('/');
  const four = /^\d{1,3}(\.\d{1,3}){3}$/.test(address) && address.split('.').every((part) => Number(part) <= 255);
  const six = !four && /^[0-9a-fA-F:]+$/.test(address) && address.includes(':') && address.split('::').length <= 2 && address.split(':').every((part) => part.length <= 4);
  const most = four ? 32 : 128;
  const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
  return (four || six) && fits && more === undefined ? null : `${text} is not a range of addresses such as 203.0.113.0/24.`;
}

export function lifeProblem(life: string, unit: FormUnit, mostDays: number): string | null {
  const value = Number(life);
  if (!Number.isFinite(value) || value <= 0) return `${life || 'Nothing'} is not a lifetime.`;
  if (formToMs(value, unit) > formToMs(mostDays, 'days')) return `${mostDays} days at most.`;
  return formToMs(value, unit) < 60_000 ? 'A minute at least.' : null;
}

export function tokenErrors(form: TokenForm, taken: readonly string[]): TokenErrors {
  const errors: TokenErrors = {};
  const name = slugProblem(form.name) ?? (taken.includes(form.name) ? `${form.name} exists already.` : null);
  if (name) errors.name = name;
  if (form.breadth === 'chosen' && form.scopes.length === 0) errors.scopes = 'A token without a right can do nothing: tick at least one.';
  const cidr = form.cidrs.map(cidrProblem).find((reason) => reason !== null);
  if (cidr) errors.cidrs = cidr;
  const life = lifeProblem(form.life, form.lifeUnit, 366);
  if (life) errors.life = life;
  return errors;
}

export function scopesOf(form: TokenForm): TokenScope[] {
  return form.breadth === 'all' ? ['*'] : form.breadth === 'read' ? ['*:read'] : form.scopes;
}

export function toToken(form: TokenForm): ApiTokenCreate {
  return {
    name: form.name,
    scopes: scopesOf(form),
    ...(form.projects.length ? { project_ids: form.projects } : {}),
    ...(form.cidrs.length ? { cidrs: form.cidrs } : {}),
    expires_in: toDuration(formToMs(Number(form.life), form.lifeUnit)),
  };
}

/** "everything its owner may", "all reading", "streams:write and 2 more". */
export function scopeWords(scopes: readonly string[]): string {
  if (scopes.includes('*')) return 'everything its owner may';
  const first = scopes[0] === '*:read' ? 'all reading' : (scopes[0] ?? 'nothing');
  return scopes.length > 1 ? `${first} and ${scopes.length - 1} more` : first;
}
