/** A count or sequence as the API gives it: a decimal string, or a number where it fits. */
export type Count = string | number;

export function big(value: Count | null | undefined): bigint {
  if (value === null || value === undefined || value === '') return 0n;
  return BigInt(value);
}

const grouped = new Intl.NumberFormat('en-GB');

/** Every digit, grouped: 25,410,907. */
export function count(value: Count | bigint): string {
  return grouped.format(typeof value === 'bigint' ? value : big(value));
}

function threeDigits(value: number): string {
  if (value >= 100) return String(Math.floor(value));
  return (Math.floor(value * 10) / 10).toFixed(1);
}

/** Three digits and a letter above ten thousand: 25.4 M. */
export function shortCount(value: Count | bigint): string {
  const n = Number(typeof value === 'bigint' ? value : big(value));
  if (n < 10_000) return grouped.format(n);
  for (const [size, letter] of [
    [1e12, 'T'],
    [1e9, 'G'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const) {
    if (n >= size) return `${threeDigits(n / size)} ${letter}`;
  }
  return grouped.format(n);
}

/** Whole up to a billion, short beyond it: for places of a fixed width, beside which the whole figure can be had. */
export function fitCount(value: Count | bigint): string {
  return (typeof value === 'bigint' ? value : big(value)) < 1_000_000_000n ? count(value) : shortCount(value);
}

const BYTE_UNITS = [
  [1e18, 'EB'],
  [1e15, 'PB'],
  [1e12, 'TB'],
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'KB'],
] as const;

/** Decimal units, three digits: 12.2 GB. */
export function bytes(value: Count | bigint): string {
  const n = Number(typeof value === 'bigint' ? value : big(value));
  for (const [size, unit] of BYTE_UNITS) {
    if (n >= size) {
      const scaled = n / size;
      return `${Number.isInteger(scaled) ? scaled : threeDigits(scaled)} ${unit}`;
    }
  }
  return `${n} B`;
}

/** Every byte, for the tooltip beside a rounded size. */
export function exactBytes(value: Count | bigint): string {
  return `${count(value)} bytes`;
}

/** Per second, and per minute below one in ten seconds. */
export function rate(perSecond: number): string {
  if (perSecond === 0) return '0/s';
  if (perSecond < 0.1) return `${(perSecond * 60).toFixed(1)}/min`;
  if (perSecond < 10) return `${perSecond.toFixed(1)}/s`;
  return `${grouped.format(Math.round(perSecond))}/s`;
}

/** Rounded down to the two largest units that matter: 18 min, 6 d 23 h. */
export function span(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 1) return '0 s';
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return hours < 10 && minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  const days = Math.floor(hours / 24);
  return days < 10 && hours % 24 ? `${days} d ${hours % 24} h` : `${days} d`;
}

const HALF_DAY = 43_200_000;

/** "4 s ago" for the past, rounded down; "in 6 d" for the future, to the nearest day when far off. */
export function fromNow(iso: string, now: number): string {
  const delta = Date.parse(iso) - now;
  // The clocks of browser and server differ a little; a second either way is now.
  if (delta > -1_000 && delta < 2_000) return 'now';
  if (delta > 0) return `in ${span(delta > 20 * HALF_DAY ? delta + HALF_DAY : delta)}`;
  return `${span(-delta)} ago`;
}

/** "last 8 s ago", for the latest of a kind. */
export function lastTime(iso: string, now: number): string {
  const when = fromNow(iso, now);
  return when === 'now' ? 'last one just now' : `last ${when}`;
}

/** Both ends of a public key, enough to tell keys apart. */
export function shortKey(key: string): string {
  return key.length > 16 ? `${key.slice(0, 9)}…${key.slice(-4)}` : key;
}

export type Zone = 'utc' | 'local';

function parts(iso: string, zone: Zone) {
  const at = new Date(iso);
  const pad = (n: number, width = 2) => String(n).padStart(width, '0');
  if (zone === 'utc') {
    return {
      date: `${at.getUTCFullYear()}-${pad(at.getUTCMonth() + 1)}-${pad(at.getUTCDate())}`,
      time: `${pad(at.getUTCHours())}:${pad(at.getUTCMinutes())}:${pad(at.getUTCSeconds())}`,
      ms: pad(at.getUTCMilliseconds(), 3),
    };
  }
  return {
    date: `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`,
    time: `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`,
    ms: pad(at.getMilliseconds(), 3),
  };
}

/** 09:42:18.204 */
export function clock(iso: string, zone: Zone): string {
  const p = parts(iso, zone);
  return `${p.time}.${p.ms}`;
}

/** 2026-11-30 09:42:18 UTC */
export function dateTime(iso: string, zone: Zone): string {
  const p = parts(iso, zone);
  return `${p.date} ${p.time}${zone === 'utc' ? ' UTC' : ''}`;
}

/** 2026-11-30 09:42:18.204 UTC */
export function exactTime(iso: string, zone: Zone): string {
  const p = parts(iso, zone);
  return `${p.date} ${p.time}.${p.ms}${zone === 'utc' ? ' UTC' : ''}`;
}

/** Share of a whole in percent, 0 to 100; null where there is no whole. */
export function share(part: Count | bigint, whole: Count | bigint): number | null {
  const w = Number(typeof whole === 'bigint' ? whole : big(whole));
  if (w <= 0) return null;
  const p = Number(typeof part === 'bigint' ? part : big(part));
  return Math.min(100, Math.max(0, (p / w) * 100));
}

/** "1 stream", "2 streams". */
export function plural(n: number | bigint, one: string, many = `${one}s`): string {
  return `${count(typeof n === 'bigint' ? n : BigInt(n))} ${Number(n) === 1 ? one : many}`;
}
