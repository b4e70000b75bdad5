import type { Onboarding } from '../api/types';

/**
 * The steps of the checklist, in the order a new account takes them. A first message is seen once a stream keeps it, so the
 * stream comes before.
 */
export const STEPS = ['credential_created', 'connected', 'stream_created', 'published'] as const;
export type Step = (typeof STEPS)[number];

export function stepsDone(state: Onboarding): number {
  return STEPS.filter((step) => state[step].done).length;
}

/** The first step that is not done; null when all are. */
export function nextStep(state: Onboarding): Step | null {
  return STEPS.find((step) => !state[step].done) ?? null;
}
