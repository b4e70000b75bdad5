import type { KvEntry } from '../api/types';

/** Why text is not a key; null when it is one. */
export function keyProblem(key: string): string | null {
  if (key === '') return 'A key is needed.';
  if (!/^[-/_=.a-zA-Z0-9]+$/.test(key)) return `${key} holds a character other than letters, digits and - / _ = .`;
  if (key.startsWith('.') || key.endsWith('.') || key.includes('..')) return 'Dots stand between tokens: none at the start, the end, or beside another.';
  return null;
}

export const MOST_VALUE_BYTES = 512 * 1024;

export function valueProblem(value: string): string | null {
  const size = new TextEncoder().encode(value).length;
  return size > MOST_VALUE_BYTES ? `${size.toLocaleString('en-GB')} bytes are more than the 524,288 that can be written here; use nats kv put.` : null;
}

/** JSON as people read it; null for other text. */
export function prettyJson(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}

/** The value as text; null where its bytes are none. */
export function entryText(entry: KvEntry): string | null {
  return entry.encoding === 'utf8' ? entry.value : null;
}
