/** A number as typed, with or without thousands' commas: null when empty, NaN when it is none. */
export function amount(text: string): number | null {
  const trimmed = text.trim().replace(/,/g, '');
  if (trimmed === '') return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : NaN;
}

export function amountProblem(text: string, what: string, whole: boolean): string | undefined {
  const value = amount(text);
  if (value === null) return undefined;
  if (Number.isNaN(value)) return `${text} is not a number.`;
  if (value <= 0) return `${what} is more than zero; leave it empty for no limit.`;
  if (whole && !Number.isInteger(value)) return `${text} is not a whole number.`;
  return undefined;
}

export function wholeProblem(text: string, least: number): string | undefined {
  const value = amount(text);
  if (value === null) return undefined;
  return Number.isInteger(value) && value >= least ? undefined : `${text} is not a whole number of at least ${least}.`;
}

/** A sequence has up to 20 digits, more than a number holds exactly; it stays text. */
export function sequenceProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  return /^[1-9]\d{0,19}$/.test(text.trim()) ? undefined : `${text} is not a sequence: a whole number from 1.`;
}

export function timeProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  return Number.isNaN(Date.parse(text)) ? `${text} is not a time; write it like 2026-11-30T09:00:00Z.` : undefined;
}
