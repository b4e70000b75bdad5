/** "team=billing" a line, as the map the API takes. */
export function pairsFrom(text: string): Record<string, string> {
  const map: Record<string, string> = {};
  for (const line of text.split('\n')) {
    const at = line.indexOf('=');
    const key = (at < 0 ? line : line.slice(0, at)).trim();
    if (key) map[key] = at < 0 ? '' : line.slice(at + 1).trim();
  }
  return map;
}

export function pairsText(map: Record<string, string> | null | undefined): string {
  return Object.entries(map ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join('\n');
}

export function pairsProblem(text: string): string | undefined {
  const bad = text.split('\n').find((line) => line.trim() !== '' && (!line.includes('=') || line.trim().startsWith('=')));
  return bad === undefined ? undefined : `${bad.trim()} has no name and value; write team=billing, one a line.`;
}
