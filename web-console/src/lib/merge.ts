import type { Change } from './changes';

/** One field of an edit that met another edit: what it was, what they made it, what you made it. */
export interface MergeRow {
  field: string;
  was: unknown;
  theirs: unknown;
  yours: unknown;
  /** True when both changed it, and to different values. */
  clash: boolean;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** All fields that either side changed. */
export function mergeRows(theirs: readonly Change[], yours: readonly Change[]): MergeRow[] {
  const fields = new Set([...theirs, ...yours].map((change) => change.field));
  return [...fields].map((field) => {
    const their = theirs.find((change) => change.field === field);
    const your = yours.find((change) => change.field === field);
    const was = (their ?? your)?.from;
    const theirValue = their ? their.to : was;
    const yourValue = your ? your.to : was;
    return { field, was, theirs: theirValue, yours: yourValue, clash: Boolean(their && your && !same(theirValue, yourValue)) };
  });
}

/** The safe default: theirs stays where both changed a field, yours is added elsewhere. */
export function safeMerge(rows: readonly MergeRow[]): MergeRow[] {
  return rows.filter((row) => !row.clash && !same(row.yours, row.theirs) && !same(row.yours, row.was));
}
