// Durations travel as the broker's strings ("72h", "1h30m0s", "250ms").

const UNIT_MS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** Milliseconds, or null for what is not a duration. */
export function parseDuration(text: string | null | undefined): number | null {
  if (!text) return null;
  if (text === '0') return 0;
  let rest = text;
  let total = 0;
  while (rest) {
    const match = /^(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/.exec(rest);
    if (!match) return null;
    total += Number(match[1]) * (UNIT_MS[match[2] as string] as number);
    rest = rest.slice(match[0].length);
  }
  return total;
}

/** The shortest single-unit form: 86400000 becomes "24h". */
export function toDuration(ms: number): string {
  if (ms === 0) return '0s';
  for (const unit of ['h', 'm', 's', 'ms'] as const) {
    const size = UNIT_MS[unit] as number;
    if (ms % size === 0) return `${ms / size}${unit}`;
  }
  return `${Math.round(ms * 1e6)}ns`;
}

export const FORM_UNITS = ['seconds', 'minutes', 'hours', 'days'] as const;
export type FormUnit = (typeof FORM_UNITS)[number];

const FORM_MS: Record<FormUnit, number> = {
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
};

export function formToMs(value: number, unit: FormUnit): number {
  return value * FORM_MS[unit];
}

/** The largest unit that holds the duration without a fraction. */
export function msToForm(ms: number): { value: number; unit: FormUnit } {
  for (const unit of ['days', 'hours', 'minutes'] as const) {
    if (ms >= FORM_MS[unit] && ms % FORM_MS[unit] === 0) return { value: ms / FORM_MS[unit], unit };
  }
  return { value: ms / 1_000, unit: 'seconds' };
}

/** In words for a sentence: "30 days", "2 minutes". */
export function durationWords(ms: number): string {
  const { value, unit } = msToForm(ms);
  return `${value} ${value === 1 ? unit.slice(0, -1) : unit}`;
}

/** Short, for facts: "7 d", "2 min". */
export function durationShort(text: string | null | undefined): string {
  const ms = parseDuration(text);
  if (ms === null) return '–';
  const { value, unit } = msToForm(ms);
  return `${value} ${{ seconds: 's', minutes: 'min', hours: 'h', days: 'd' }[unit]}`;
}
