/** An answer that is a problem document. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly more: Record<string, unknown> = {},
  ) {
    super(detail);
  }
}

/** A request, taken apart. */
export interface Call {
  method: string;
  /** The path's segments: ["v1", "accounts", …]. */
  parts: string[];
  query: URLSearchParams;
  body: Record<string, unknown>;
  headers: Headers;
}

/** Status and body. */
export type Answer = [number, unknown];

export function page(data: unknown[], next: string | null = null, size = 50): Answer {
  return [200, { data, page: { next, prev: null, size } }];
}
