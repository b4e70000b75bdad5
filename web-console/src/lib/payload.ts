import type { Message } from '../api/types';

export type PayloadView = 'JSON' | 'Text' | 'Hex';

/** The bytes of a payload as far as the API sent them. */
export function payloadBytes(payload: Message['payload']): Uint8Array {
  if (payload.encoding === 'utf8') return new TextEncoder().encode(payload.data);
  const binary = atob(payload.data);
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

export function payloadText(payload: Message['payload']): string {
  return payload.encoding === 'utf8' ? payload.data : new TextDecoder().decode(payloadBytes(payload));
}

/** Indented JSON, or null when the payload is not JSON (or is cut off). */
export function payloadJson(payload: Message['payload']): string | null {
  if (payload.encoding !== 'utf8' || payload.truncated) return null;
  const text = payload.data.trim();
  if (!/^[[{"\d-]|^(true|false|null)$/.test(text)) return null;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}

/** Offset, sixteen bytes, and the printable characters of each line. */
export function hexDump(data: Uint8Array): string {
  const lines: string[] = [];
  for (let at = 0; at < data.length; at += 16) {
    const row = [...data.subarray(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = row.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('');
    lines.push(`${at.toString(16).padStart(6, '0')}  ${hex.padEnd(47)}  ${text}`);
  }
  return lines.join('\n') || '(no bytes)';
}

/** What fits in a row of the list. */
export function preview(payload: Message['payload']): string {
  if (payload.encoding === 'utf8') return payload.data.replace(/\s+/g, ' ').slice(0, 120);
  return hexDump(payloadBytes(payload).subarray(0, 16)).slice(8, 55).trim();
}

/** The view that shows most of it. */
export function bestView(payload: Message['payload']): PayloadView {
  if (payloadJson(payload) !== null) return 'JSON';
  return payload.encoding === 'utf8' ? 'Text' : 'Hex';
}
