import { IconX } from '@tabler/icons-react';

interface Props {
  subject: string;
  large?: boolean;
  /** In a table: a long one keeps its first tokens and its last. */
  short?: boolean;
  onRemove?: () => void;
}

// Characters of a subject that a column of a table has room for.
const ROOM = 38;

/** The tokens that are shown, with an ellipsis for those that are not. */
export function shownTokens(subject: string, room: number): string[] {
  const tokens = subject.split('.');
  const last = tokens[tokens.length - 1] ?? '';
  if (subject.length <= room || tokens.length < 3) return tokens;
  const shown: string[] = [];
  let used = last.length + 2;
  for (const token of tokens.slice(0, -1)) {
    used += token.length + 1;
    if (used > room && shown.length > 0) break;
    shown.push(token);
  }
  return shown.length === tokens.length - 1 ? tokens : [...shown, '…', last];
}

/** A subject as its tokens; wildcards stand out. */
export function SubjectChip({ subject, large, short, onRemove }: Props) {
  const tokens = shownTokens(subject, short ? ROOM : Infinity);
  if (short && tokens.includes('…')) {
    return (
      <span className="subject" title={subject}>
        <span className="vh">{subject}</span>
        {tokens.map((token, i) => (
          <span key={i} className={token === '*' || token === '>' ? 'wild' : undefined} aria-hidden="true">
            {token}
          </span>
        ))}
      </span>
    );
  }
  return (
    <span className={large ? 'subject large' : 'subject'} title={subject}>
      {tokens.map((token, i) => (
        <span key={i} className={token === '*' || token === '>' ? 'wild' : undefined}>
          {token}
          {i < tokens.length - 1 ? <span className="vh">.</span> : null}
        </span>
      ))}
      {onRemove ? (
        <button type="button" aria-label={`Remove ${subject}`} onClick={onRemove}>
          <IconX size={12} stroke={1.8} aria-hidden="true" />
        </button>
      ) : null}
    </span>
  );
}

export function SubjectList({ subjects, most = 1 }: { subjects: readonly string[]; most?: number }) {
  const shown = subjects.slice(0, most);
  const rest = subjects.slice(most);
  return (
    <span className="line">
      {shown.map((subject) => (
        <SubjectChip key={subject} subject={subject} short />
      ))}
      {rest.length > 0 ? (
        <span className="tiny ink3" title={rest.join(', ')}>
          +{rest.length}
        </span>
      ) : null}
    </span>
  );
}
