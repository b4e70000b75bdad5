import { useState } from 'react';
import { SubjectChip } from '../../ui/SubjectChip';

interface Props {
  id: string;
  describedBy: string | undefined;
  subjects: readonly string[];
  wrong: boolean;
  placeholder?: string;
  onChange: (subjects: string[]) => void;
}

/** Subjects as chips; Enter, comma or leaving the field adds what was typed. */
export function SubjectInput({ id, describedBy, subjects, wrong, placeholder = 'add a subject', onChange }: Props) {
  const [typed, setTyped] = useState('');
  const add = (text: string) => {
    const added = text
      .split(/[,\s]+/)
      .filter((subject) => subject !== '' && !subjects.includes(subject));
    if (added.length) onChange([...subjects, ...new Set(added)]);
    setTyped('');
  };
  return (
    <div className={wrong ? 'input subject-input wrong' : 'input subject-input'}>
      {subjects.map((subject) => (
        <SubjectChip key={subject} subject={subject} large onRemove={() => onChange(subjects.filter((other) => other !== subject))} />
      ))}
      <input
        id={id}
        aria-describedby={describedBy}
        aria-invalid={wrong || undefined}
        value={typed}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => (/[,\s]$/.test(event.target.value) ? add(event.target.value) : setTyped(event.target.value))}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && typed.trim()) {
            event.preventDefault();
            add(typed);
          } else if (event.key === 'Backspace' && typed === '' && subjects.length) {
            onChange(subjects.slice(0, -1));
          }
        }}
        onBlur={() => (typed.trim() ? add(typed) : undefined)}
      />
    </div>
  );
}
