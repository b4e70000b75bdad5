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
  if (error instanceof ApiError && error.status === 401) setContact({ signedOut: true });
}

function unanswered(error: unknown): boolean {
  return error instanceof ApiError && (error.isOffline || [502, 503, 504].includes(error.status));
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
  const queryCache = new QueryCache({
    onError: noteError,
    onSettled: () => {
      // Contact is lost while any value on the page could not be read again.
      const lost = queryCache.findAll({ type: 'active' }).some((query) => unanswered(query.state.error));
      setContact({ state: lost ? 'lost' : 'live', ...(lost ? {} : { lastAnswer: Date.now() }) });
    },
  });
  return new QueryClient({
    queryCache,
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
