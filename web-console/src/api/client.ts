import createClient, { type Middleware } from 'openapi-fetch';
import { fromProblem, offline } from './error';
import type { paths } from './schema';
import type { Problem } from './types';

// The token of GET /v1/me, sent back on every call that changes something. It lives in memory
// only; the session itself is a cookie that scripts cannot read.
let csrfToken: string | null = null;

export function rememberCsrf(token: string): void {
  csrfToken = token;
}

const SAFE = new Set(['GET', 'HEAD']);

const headers: Middleware = {
  onRequest({ request }) {
    if (!SAFE.has(request.method) && csrfToken) request.headers.set('X-CSRF-Token', csrfToken);
    return request;
  },
  async onResponse({ response }) {
    if (response.ok) return undefined;
    const type = response.headers.get('content-type') ?? '';
    const problem = type.includes('json') ? ((await response.json().catch(() => null)) as Partial<Problem> | null) : null;
    throw fromProblem(response.status, problem, response.headers.get('x-request-id'));
  },
  onError({ error }) {
    if (error instanceof DOMException && error.name === 'AbortError') return undefined;
    return offline();
  },
};

export const api = createClient<paths>({
  baseUrl: typeof window === 'undefined' ? '/' : window.location.origin,
  credentials: 'same-origin',
  headers: { Accept: 'application/json, application/problem+json' },
  // Looked up at each call, so that tests can answer in place of the network.
  fetch: (request: Request) => globalThis.fetch(request),
});
api.use(headers);

/** One key for one press of a button: a retry of the same press repeats it. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}

type Dry = { affected: unknown } | { would_purge: unknown };

/** The body of an answer that was a success; failures have been thrown before, and a dry run was not asked for. */
export function body<T>(answer: { data?: T }): Exclude<NonNullable<T>, Dry> {
  if (answer.data === undefined || answer.data === null) throw new Error('The control plane sent an empty answer.');
  return answer.data as Exclude<NonNullable<T>, Dry>;
}

/** The body of an answer to dry_run=true. */
export function dryBody<T>(answer: { data?: T }): Extract<NonNullable<T>, Dry> {
  if (answer.data === undefined || answer.data === null) throw new Error('The control plane sent an empty answer.');
  return answer.data as Extract<NonNullable<T>, Dry>;
}
