// Rates are measured here, from counters that only grow (the last sequence of a stream, the
// deliveries of a consumer): the API gives counts, not rates.

export interface Sample {
  /** Milliseconds of the clock that stamped the answer. */
  at: number;
  value: bigint;
}

/** A rate is the slope over at most this long. */
const WINDOW_MS = 30_000;
/** Two answers nearer than this say nothing. */
const LEAST_MS = 900;

export function addSample(samples: readonly Sample[], next: Sample): Sample[] {
  const last = samples[samples.length - 1];
  if (last && next.at <= last.at) return samples as Sample[];
  // A counter that went back belongs to a new object of the same name.
  if (last && next.value < last.value) return [next];
  return [...samples.filter((sample) => next.at - sample.at <= WINDOW_MS), next];
}

/** Units a second over the window, or null while there is nothing to compare with. */
export function slope(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples[samples.length - 1];
  if (!first || !last || last.at - first.at < LEAST_MS) return null;
  return Number(last.value - first.value) / ((last.at - first.at) / 1000);
}

export class RateBook {
  private readonly samples = new Map<string, Sample[]>();
  private readonly listeners = new Set<() => void>();

  record(key: string, at: number, value: bigint): void {
    const before = this.samples.get(key) ?? [];
    const after = addSample(before, { at, value });
    if (after === before) return;
    this.samples.set(key, after);
    for (const listener of this.listeners) listener();
  }

  rate(key: string): number | null {
    return slope(this.samples.get(key) ?? []);
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}
