export type CodeLanguage = 'json' | 'shell' | 'java' | 'javascript' | 'go' | 'python' | 'hcl' | 'text' | 'diff';

export interface Piece {
  kind: 'plain' | 'key' | 'string' | 'number' | 'comment' | 'word' | 'gone' | 'added';
  text: string;
}

const WORDS: Partial<Record<CodeLanguage, string>> = {
  java: 'import|package|public|static|void|class|new|try|catch|var|final|throws|return|while|for|if|true|false|null',
  javascript: 'import|from|const|let|await|async|for|of|if|new|return|true|false|null',
  go: 'package|import|func|defer|if|return|for|range|nil|err|select|var|true|false',
  hcl: 'resource|import|true|false|null',
  python: 'import|from|async|await|def|for|in|if|try|except|pass|None|True|False|as|return|with',
};

const COMMENT: Partial<Record<CodeLanguage, string>> = {
  java: '//.*$',
  javascript: '//.*$',
  go: '//.*$',
  python: '#.*$',
  shell: '(?:^|\\s)#.*$',
  hcl: '(?:^|\\s)#.*$',
};

const compiled = new Map<CodeLanguage, RegExp>();

function pattern(language: CodeLanguage): RegExp {
  const known = compiled.get(language);
  if (known) return known;
  const sources = [
    COMMENT[language] ? `(?<comment>${COMMENT[language]})` : null,
    language === 'json' ? '(?<key>"(?:[^"\\\\]|\\\\.)*"(?=\\s*:))' : null,
    `(?<string>"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'${language === 'javascript' || language === 'go' ? '|`[^`]*`' : ''})`,
    WORDS[language] ? `(?<word>\\b(?:${WORDS[language]})\\b)` : null,
    language === 'json' ? '(?<word>\\b(?:true|false|null)\\b)' : null,
    language === 'shell' ? '(?<word>(?<=\\s)--?[a-z][a-z-]*)' : null,
    '(?<number>(?<![\\w.])-?\\d+(?:\\.\\d+)?\\b)',
  ].filter(Boolean);
  const made = new RegExp(sources.join('|'), 'g');
  compiled.set(language, made);
  return made;
}

/** One line as pieces; enough for short snippets, and never wrong about the text itself. */
export function highlight(line: string, language: CodeLanguage): Piece[] {
  if (language === 'text') return [{ kind: 'plain', text: line }];
  if (language === 'diff') {
    const kind = line.startsWith('-') ? 'gone' : line.startsWith('+') ? 'added' : 'plain';
    return [{ kind, text: line }];
  }
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of line.matchAll(pattern(language))) {
    if (match.index > at) pieces.push({ kind: 'plain', text: line.slice(at, match.index) });
    const kind = (['comment', 'key', 'string', 'word', 'number'] as const).find((name) => match.groups?.[name] !== undefined);
    pieces.push({ kind: kind ?? 'plain', text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < line.length) pieces.push({ kind: 'plain', text: line.slice(at) });
  return pieces;
}
