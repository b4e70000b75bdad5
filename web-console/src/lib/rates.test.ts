import { describe, expect, it } from 'vitest';
import { addSample, RateBook, slope } from './rates';

describe('rates', () => {
  it('says nothing after one read', () => {
    expect(slope([{ at: 0, value: 10n }])).toBeNull();
  });
  it('is the slope between the first and last read of the window', () => {
    const book = new RateBook();
    for (let i = 0; i <= 4; i++) book.record('ORDERS', i * 5_000, BigInt(i * 210));
    expect(book.rate('ORDERS')).toBe(42);
  });
  it('forgets reads older than the window', () => {
    const samples = addSample([{ at: 0, value: 0n }, { at: 25_000, value: 0n }], { at: 35_000, value: 100n });
    expect(slope(samples)).toBe(10);
  });
  it('starts again when a counter went back: the stream is another one', () => {
    const samples = addSample([{ at: 0, value: 900n }], { at: 5_000, value: 3n });
    expect(slope(samples)).toBeNull();
  });
  it('reads beyond 2^53 without losing a message', () => {
    const base = 2n ** 60n;
    expect(slope([{ at: 0, value: base }, { at: 1_000, value: base + 3n }])).toBe(3);
  });
});
