import { useEffect, useState } from 'react';
import { usePrefs } from '../lib/prefs';
import { copyText } from './Copy';

interface Options<T> {
  rows: readonly T[];
  id: (row: T) => string;
  onOpen?: (row: T) => void;
  /** What C copies. */
  copy?: (row: T) => string;
  filter?: React.RefObject<HTMLInputElement | null>;
  /** Follows the keys, for a viewer beside the list. */
  onMove?: (row: T) => void;
}

function typing(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  );
}

/** J, K and arrows move, Enter opens, / filters, C copies, Esc lets go. Off inside inputs. */
export function useTableKeys<T>({ rows, id, onOpen, copy, filter, onMove }: Options<T>): string | null {
  const { keys } = usePrefs();
  const [active, setActive] = useState<string | null>(null);

  useEffect(() => {
    if (!keys) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (document.querySelector('[role="dialog"][aria-modal="true"]')) return;
      if (typing(event.target)) {
        if (event.key === 'Escape' && event.target === filter?.current) filter?.current?.blur();
        return;
      }
      const at = rows.findIndex((row) => id(row) === active);
      const move = (to: number) => {
        const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
        if (!row) return;
        event.preventDefault();
        setActive(id(row));
        onMove?.(row);
        document.getElementById(`row-${id(row)}`)?.scrollIntoView({ block: 'nearest' });
      };
      const onControl = event.target instanceof HTMLElement && event.target.closest('a, button, [role="tab"], [role="radio"]');
      const row = rows[at];
      switch (event.key) {
        case 'j':
          return move(at + 1);
        case 'k':
          return move(at < 0 ? 0 : at - 1);
        case 'ArrowDown':
          return onControl ? undefined : move(at + 1);
        case 'ArrowUp':
          return onControl ? undefined : move(at < 0 ? 0 : at - 1);
        case 'Enter':
          if (row && !onControl) onOpen?.(row);
          return undefined;
        case 'c':
          if (row && copy) void copyText(copy(row));
          return undefined;
        case '/':
          if (filter?.current) {
            event.preventDefault();
            filter.current.focus();
          }
          return undefined;
        case 'Escape':
          return setActive(null);
        default:
          return undefined;
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [keys, rows, id, active, onOpen, copy, filter, onMove]);

  return active;
}
