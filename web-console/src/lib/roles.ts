import type { Role } from '../api/types';

export const ROLES: readonly { value: Role; label: string; means: string }[] = [
  { value: 'owner', label: 'Owner', means: 'Everything, and who the owners are.' },
  { value: 'admin', label: 'Admin', means: 'Everything but the organisation itself and its owners.' },
  { value: 'developer', label: 'Developer', means: 'Streams, consumers, buckets, messages and credentials.' },
  { value: 'viewer', label: 'Viewer', means: 'Reads everything but payloads and the audit log.' },
  { value: 'billing', label: 'Billing', means: 'What costs money.' },
];

export function roleMeans(role: Role): string {
  return ROLES.find((entry) => entry.value === role)?.means ?? '';
}

export function emailProblem(text: string): string | null {
  if (text.trim() === '') return 'An address is needed.';
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text.trim()) ? null : `${text} is not an e-mail address.`;
}

const SLUG = /^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$|^[a-z0-9]$/;

/** Names of projects, accounts, groups, exports, service accounts and tokens. */
export function slugProblem(text: string): string | null {
  if (text === '') return 'A name is needed.';
  return SLUG.test(text) ? null : `${text} is not a name: small letters, digits and - between them, 63 at most.`;
}
