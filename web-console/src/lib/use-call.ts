import { useState } from 'react';
import { newIdempotencyKey } from '../api/client';
import { type ApiError, asApiError } from '../api/error';

export interface CallState {
  busy: boolean;
  error: ApiError | null;
  /** Runs one call; true when it went well. The key stays the same while the answer to the same content got lost. */
  run: (call: (key: string) => Promise<void>, content?: unknown) => Promise<boolean>;
  clear: () => void;
}

/** State of a call that changes something. */
export function useCall(): CallState {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const [unanswered, setUnanswered] = useState<{ content: string; key: string } | null>(null);
  return {
    busy,
    error,
    clear: () => setError(null),
    run: async (call, content) => {
      if (busy) return false;
      setBusy(true);
      setError(null);
      const text = JSON.stringify(content ?? null);
      const key = unanswered?.content === text ? unanswered.key : newIdempotencyKey();
      try {
        await call(key);
        setUnanswered(null);
        return true;
      } catch (failure) {
        const failed = asApiError(failure);
        setError(failed);
        setUnanswered(failed.isOffline ? { content: text, key } : null);
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
