import { useEffect, useId, useRef, useState } from 'react';
import { type CodeLanguage, highlight } from '../lib/highlight';
import { CopyButton } from './Copy';

/** Code with quiet colours. Long lines scroll inside the box. */
export function Code({
  text,
  language,
  label,
  numbered,
}: {
  text: string;
  language: CodeLanguage;
  label: string;
  numbered?: boolean;
}) {
  const lines = text.replace(/\n$/, '').split('\n');
  return (
    <pre className="code" tabIndex={0} role="region" aria-label={label}>
      <code>
        {lines.map((line, i) => (
          <span key={i}>
            {numbered ? (
              <span className="row-number" aria-hidden="true">
                {i + 1}
              </span>
            ) : null}
            {highlight(line, language).map((piece, j) => (
              <span key={j} className={piece.kind === 'plain' ? undefined : piece.kind}>
                {piece.text}
              </span>
            ))}
            {i < lines.length - 1 ? '\n' : ''}
          </span>
        ))}
      </code>
    </pre>
  );
}

export interface CodeTab {
  name: string;
  language: CodeLanguage;
  text: string;
}

/** The same thing in several languages, made from the model that performs the call. */
export function CodeTabs({ tabs, label }: { tabs: readonly CodeTab[]; label: string }) {
  const id = useId();
  const [chosen, setChosen] = useState(tabs[0]?.name ?? '');
  const tab = tabs.find((entry) => entry.name === chosen) ?? tabs[0];
  if (!tab) return null;
  return (
    <div className="code-box">
      <TabList label={label} id={id} names={tabs.map((entry) => entry.name)} chosen={tab.name} onChoose={setChosen} />
      <CopyButton className="copy-corner" text={tab.text} what={tab.name} />
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${tab.name}`}>
        <Code text={tab.text} language={tab.language} label={`${label}, ${tab.name}`} />
      </div>
    </div>
  );
}

interface TabListProps {
  id: string;
  label: string;
  names: readonly string[];
  chosen: string;
  onChoose: (name: string) => void;
  counts?: Record<string, string | number | undefined>;
}

/** Tabs by the pattern: one tab stop, arrows move. */
export function TabList({ id, label, names, chosen, onChoose, counts }: TabListProps) {
  const list = useRef<HTMLDivElement>(null);
  const shown = JSON.stringify([chosen, counts]);
  useEffect(() => {
    const show = () => {
      const row = list.current;
      const tab = row?.querySelector<HTMLElement>('[aria-selected="true"]');
      if (!row || !tab) return;
      // Only the row is moved: scrollIntoView would take the page along.
      const over = tab.offsetLeft + tab.offsetWidth - row.offsetLeft - row.clientWidth;
      if (over > row.scrollLeft) row.scrollLeft = over;
      else if (tab.offsetLeft - row.offsetLeft < row.scrollLeft) row.scrollLeft = tab.offsetLeft - row.offsetLeft;
    };
    show();
    // The words take another width once their font is there.
    void document.fonts?.ready.then(show);
    window.addEventListener('resize', show);
    return () => window.removeEventListener('resize', show);
  }, [shown]);
  return (
    <div
      ref={list}
      className="tabs"
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        if (!step) return;
        event.preventDefault();
        const next = names[(names.indexOf(chosen) + step + names.length) % names.length] as string;
        onChoose(next);
        document.getElementById(`${id}-${next}`)?.focus();
      }}
    >
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`${id}-${name}`}
          aria-controls={`${id}-panel`}
          aria-selected={name === chosen}
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {name}
          {counts?.[name] !== undefined ? <span className="count">{counts[name]}</span> : null}
        </button>
      ))}
    </div>
  );
}
