import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { ApiError } from './error';

/** Whether the control plane answers, for the mark in the header. */
export interface Contact {
  state: 'live' | 'lost';
  /** Time of the last good answer, in ms. */
  lastAnswer: number | null;
  /** True once the session has ended while the console was open. */
  signedOut: boolean;
}

let contact: Contact = { state: 'live', lastAnswer: null, signedOut: false };
const listeners = new Set<() => void>();

function setContact(change: Partial<Contact>): void {
  contact = { ...contact, ...change };
  for (const listener of listeners) listener();
}

function noteError(error: unknown): void {
  if (!(error instanceof ApiError)) return;
  if (error.status === 401) setContact({ signedOut: true });
  else if (error.isOffline || error.status === 502 || error.status === 503 || error.status === 504) {
    setContact({ state: 'lost' });
  }
}

export function useContact(): Contact {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => contact,
  );
}

export function makeQueryClient(): QueryClient {
  contact = { state: 'live', lastAnswer: null, signedOut: false };
  return new QueryClient({
    queryCache: new QueryCache({
      onError: noteError,
      onSuccess: () => setContact({ state: 'live', lastAnswer: Date.now() }),
    }),
    mutationCache: new MutationCache({ onError: noteError }),
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        // One more try for what may pass; a refusal stays a refusal. Live values are read again
        // by their interval anyway.
        retry: (failures, error) => failures < 1 && error instanceof ApiError && error.retryable,
        retryDelay: 700,
        refetchOnWindowFocus: true,
        networkMode: 'always',
      },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}
