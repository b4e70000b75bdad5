import { useEffect, useState } from 'react';
import { setPrefs, usePrefs } from '../lib/prefs';
import { Button } from '../ui/Button';
import { Dialog } from '../ui/Dialog';

const KEYS: [string | readonly string[], string][] = [
  ['Ctrl K', 'Go to or run'],
  ['G A', 'Switch account'],
  [['J', 'K', '↓', '↑'], 'Move in a table'],
  ['Enter', 'Open the row'],
  ['/', 'Filter the table'],
  ['C', 'Copy the name or payload'],
  ['Esc', 'Close, or let the row go'],
  ['?', 'This list'],
];

function inField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** The keys that work on every page. */
export function Shortcuts({ onPalette }: { onPalette: () => void }) {
  const { keys } = usePrefs();
  const [help, setHelp] = useState(false);

  useEffect(() => {
    let chordAt = 0;
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        onPalette();
        return;
      }
      if (!keys || event.ctrlKey || event.metaKey || event.altKey || inField(event.target)) return;
      if (document.querySelector('[role="dialog"][aria-modal="true"]')) return;
      if (event.key === '?') setHelp(true);
      if (event.key === 'g') chordAt = event.timeStamp;
      else if (event.key === 'a' && event.timeStamp - chordAt < 1_000) {
        document.querySelector<HTMLElement>('[data-account-switcher]')?.click();
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [keys, onPalette]);

  return (
    <Dialog
      opened={help}
      onClose={() => setHelp(false)}
      title="Keys"
      foot={
        <>
          <label className="check">
            <input type="checkbox" checked={keys} onChange={(event) => setPrefs({ keys: event.target.checked })} />
            Single keys are on
          </label>
          <Button className="to-end" data-autofocus onClick={() => setHelp(false)}>
            Close
          </Button>
        </>
      }
    >
      <dl className="pairs">
        {KEYS.map(([key, does]) => (
          <div key={does} style={{ display: 'contents' }}>
            <dt className="line" style={{ gap: 4 }}>
              {[key].flat().map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
