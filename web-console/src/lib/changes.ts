/** One field of a configuration that differs, by the broker's name. */
export interface Change {
  field: string;
  from: unknown;
  to: unknown;
}

/** Fields that differ between two configurations. A flag that is left out is off, another field is at its default. */
export function changesOf(before: object, after: object): Change[] {
  const old = before as Record<string, unknown>;
  const next = after as Record<string, unknown>;
  return Object.keys({ ...old, ...next })
    .filter((field) => JSON.stringify(old[field]) !== JSON.stringify(next[field]))
    .map((field) => {
      const absent = typeof (old[field] ?? next[field]) === 'boolean' ? false : null;
      return { field, from: old[field] ?? absent, to: next[field] ?? absent };
    });
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The merge patch that makes the changes; an entry that is gone from a map is named with null. */
export function toPatch(list: readonly Change[]): Record<string, unknown> {
  return Object.fromEntries(
    list.map(({ field, from, to }) => {
      if (!isMap(from) || !isMap(to)) return [field, to];
      const gone = Object.keys(from).filter((key) => !(key in to));
      return [field, { ...Object.fromEntries(gone.map((key) => [key, null])), ...to }];
    }),
  );
}

export function diffText(list: readonly Change[]): string {
  if (list.length === 0) return 'Nothing is changed yet.';
  return list.flatMap((change) => [`- ${change.field}: ${JSON.stringify(change.from)}`, `+ ${change.field}: ${JSON.stringify(change.to)}`]).join('\n');
}
