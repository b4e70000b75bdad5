export interface Entry {
  id: string;
  group: 'Go to' | 'Run' | 'Accounts';
  text: string;
  mono?: boolean;
  /** What it is, in quiet words behind the name. */
  kind?: string;
  more?: string;
  run: () => void;
}

export interface Match {
  entry: Entry;
  /** The text in pieces; `hit` pieces were typed. */
  pieces: { text: string; hit: boolean }[];
}

/** Every word must occur in the text or its kind; words found in the text are marked. */
export function match(entry: Entry, query: string): Match | null {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const text = entry.text.toLowerCase();
  const hits: [number, number][] = [];
  for (const word of words) {
    const at = text.indexOf(word);
    if (at >= 0) hits.push([at, at + word.length]);
    else if (!(entry.kind ?? '').toLowerCase().includes(word)) return null;
  }
  hits.sort((a, b) => a[0] - b[0]);
  const pieces: Match['pieces'] = [];
  let end = 0;
  for (const [from, to] of hits) {
    if (from < end) continue;
    if (from > end) pieces.push({ text: entry.text.slice(end, from), hit: false });
    pieces.push({ text: entry.text.slice(from, to), hit: true });
    end = to;
  }
  if (end < entry.text.length) pieces.push({ text: entry.text.slice(end), hit: false });
  return { entry, pieces };
}

/** Names that start with what was typed come first; otherwise the given order stays. */
export function search(entries: readonly Entry[], query: string, most = 12): Match[] {
  const found = entries.map((entry) => match(entry, query)).filter((hit) => hit !== null);
  const first = query.trim().toLowerCase();
  const rank = (hit: Match) => (first && hit.entry.text.toLowerCase().startsWith(first) ? 0 : 1);
  const groups = ['Go to', 'Run', 'Accounts'];
  return found
    .map((hit, order) => ({ hit, order }))
    .sort(
      (a, b) =>
        groups.indexOf(a.hit.entry.group) - groups.indexOf(b.hit.entry.group) || rank(a.hit) - rank(b.hit) || a.order - b.order,
    )
    .map(({ hit }) => hit)
    .slice(0, most);
}
