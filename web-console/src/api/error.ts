import type { Problem } from './types';

/** An answer of the API that is not a success, or no answer at all. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly requestId: string | null,
    readonly at: Date,
    readonly retryable: boolean,
    readonly problem: Partial<Problem> | null,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  get isOffline(): boolean {
    return this.status === 0;
  }

  /** Reason by field path, for forms. */
  get fieldReasons(): Record<string, string> {
    const reasons: Record<string, string> = {};
    for (const entry of this.problem?.invalid_parameters ?? []) reasons[entry.field] = entry.reason;
    return reasons;
  }

  /** What a person pastes into a support request; never holds a secret. */
  get forSupport(): string {
    return [
      `code ${this.code}`,
      `request ${this.requestId ?? 'none: the request got no answer'}`,
      `time ${this.at.toISOString()}`,
      `status ${this.status}`,
      this.message,
    ].join('\n');
  }
}

export function fromProblem(status: number, problem: Partial<Problem> | null, requestId: string | null): ApiError {
  return new ApiError(
    status,
    problem?.code ?? `http_${status}`,
    problem?.detail ?? problem?.title ?? `The control plane answered ${status} without saying why.`,
    problem?.request_id ?? requestId,
    new Date(),
    problem?.retryable ?? status >= 500,
    problem,
  );
}

export function offline(): ApiError {
  return new ApiError(
    0,
    'no_answer',
    'The control plane gave no answer. The network is down, or the service is.',
    null,
    new Date(),
    true,
    null,
  );
}

export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ApiError(0, 'console_error', message, null, new Date(), false, null);
}
