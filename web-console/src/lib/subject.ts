/** Why a filter cannot be used as a subject of a stream or consumer; null when it can. */
export function subjectProblem(subject: string): string | null {
  if (subject === '') return 'A subject needs at least one token.';
  if (/\s/.test(subject)) return `${subject} holds a space; subjects have none.`;
  const tokens = subject.split('.');
  if (tokens.some((token) => token === '')) return `${subject} has an empty token; tokens stand between single dots.`;
  const rest = tokens.indexOf('>');
  if (rest >= 0 && rest !== tokens.length - 1) return `${subject} has > before its end; > is only the last token.`;
  return null;
}

/** True when some subject matches both filters. */
export function subjectsOverlap(a: string, b: string): boolean {
  const left = a.split('.');
  const right = b.split('.');
  for (let i = 0; ; i++) {
    const l = left[i];
    const r = right[i];
    if (l === undefined && r === undefined) return true;
    if (l === '>') return r !== undefined;
    if (r === '>') return l !== undefined;
    if (l === undefined || r === undefined) return false;
    if (l !== '*' && r !== '*' && l !== r) return false;
  }
}

export const NAME_RULE = /^[A-Za-z0-9_-]{1,255}$/;

/** Names of streams and consumers: what the broker and the API both take. */
export function nameProblem(name: string): string | null {
  if (name === '') return 'A name is needed.';
  if (!NAME_RULE.test(name)) return `${name} holds a character other than letters, digits, _ and -.`;
  return null;
}

/** The name nearest to what was typed, by edit distance; null when none is close. */
export function closest(typed: string, names: readonly string[]): string | null {
  let best: { name: string; distance: number } | null = null;
  const wanted = typed.toLowerCase();
  for (const name of names) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (!best || distance < best.distance) best = { name, distance };
  }
  return best && best.distance <= Math.max(2, Math.ceil(best.name.length / 2)) ? best.name : null;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row[j] = Math.min((previous[j] as number) + 1, (row[j - 1] as number) + 1, swap);
    }
    previous = row;
  }
  return previous[b.length] as number;
}
