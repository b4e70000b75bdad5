import { IconX } from '@tabler/icons-react';
import { useEffect, useSyncExternalStore } from 'react';
import { asApiError } from '../api/error';
import { Button } from './Button';
import { StateMark } from './StateMark';

// Notes tell of things that are done. What needs an answer never appears here.

interface DoneNote {
  id: number;
  text: string;
  undo?: (() => Promise<void>) | undefined;
}

let notes: readonly DoneNote[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly DoneNote[]): void {
  notes = next;
  for (const listener of listeners) listener();
}

/** With `undo`, for ten seconds, a way back. */
export function noteDone(text: string, undo?: () => Promise<void>): void {
  set([...notes.slice(-2), { id: ++lastId, text, undo }]);
}

function One({ note }: { note: DoneNote }) {
  const close = () => set(notes.filter((other) => other.id !== note.id));
  useEffect(() => {
    const timer = setTimeout(() => set(notes.filter((other) => other.id !== note.id)), note.undo ? 10_000 : 8_000);
    return () => clearTimeout(timer);
  }, [note.id, note.undo]);
  return (
    <div className="done-note">
      <StateMark state="steady" />
      <span className="grow">{note.text}</span>
      {note.undo ? (
        <Button
          size="compact"
          onClick={() => {
            close();
            note.undo?.().catch((error: unknown) => noteDone(asApiError(error).message));
          }}
        >
          Undo
        </Button>
      ) : null}
      <Button look="ghost" size="compact" square aria-label="Close note" onClick={close}>
        <IconX size={14} stroke={1.6} aria-hidden="true" />
      </Button>
    </div>
  );
}

export function DoneNotes() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notes,
  );
  return (
    <div className="done-notes" role="status">
      {shown.map((note) => (
        <One key={note.id} note={note} />
      ))}
    </div>
  );
}
