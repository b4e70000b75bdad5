import { IconX } from '@tabler/icons-react';

interface Props {
  subject: string;
  large?: boolean;
  onRemove?: () => void;
}

/** A subject as its tokens; wildcards stand out. */
export function SubjectChip({ subject, large, onRemove }: Props) {
  const tokens = subject.split('.');
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
        <SubjectChip key={subject} subject={subject} />
      ))}
      {rest.length > 0 ? (
        <span className="tiny ink3" title={rest.join(', ')}>
          +{rest.length}
        </span>
      ) : null}
    </span>
  );
}
