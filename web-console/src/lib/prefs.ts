import { useSyncExternalStore } from 'react';
import type { Zone } from './format';

/** Choices a person made in this browser. No secret and nothing of the account goes in here. */
export interface Prefs {
  zone: Zone;
  /** Seconds between two reads of live values; 0 is off. */
  refreshSeconds: 0 | 5 | 30;
  /** Single-key shortcuts in tables. */
  keys: boolean;
}

const KEY = 'penstock-prefs';
const DEFAULTS: Prefs = { zone: 'utc', refreshSeconds: 5, keys: true };

function read(): Prefs {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const found = (typeof stored === 'object' && stored !== null ? stored : {}) as Partial<Prefs>;
    return {
      zone: found.zone === 'local' ? 'local' : 'utc',
      refreshSeconds: found.refreshSeconds === 0 || found.refreshSeconds === 30 ? found.refreshSeconds : 5,
      keys: found.keys !== false,
    };
  } catch {
    return DEFAULTS;
  }
}

let current = read();
const listeners = new Set<() => void>();

export function setPrefs(change: Partial<Prefs>): void {
  current = { ...current, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // A browser that stores nothing keeps the choice until the page is closed.
  }
  for (const listener of listeners) listener();
}

export function usePrefs(): Prefs {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
