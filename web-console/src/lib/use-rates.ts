import { useEffect, useSyncExternalStore } from 'react';
import { RateBook } from './rates';

const book = new RateBook();

/** Records counters as they were at `at` and answers with what they grew by, per second. */
export function useRates(scope: string, counters: ReadonlyMap<string, bigint>, at: number): (key: string) => number | null {
  const stamp = [...counters].map(([key, value]) => `${key}=${value}`).join();
  useEffect(() => {
    for (const [key, value] of counters) book.record(`${scope}/${key}`, at, value);
    // The stamp stands for the map, which is a new object at each render.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [scope, at, stamp]);
  useSyncExternalStore(book.subscribe, () => [...counters.keys()].map((key) => book.rate(`${scope}/${key}`)).join());
  return (key) => book.rate(`${scope}/${key}`);
}
