import { describe, expect, it } from 'vitest';
import { bytes, clock, count, dateTime, fitCount, fromNow, lastTime, rate, share, shortCount, shortKey, span } from './format';

describe('counts', () => {
  it('groups every digit of sequences beyond 2^53', () => {
    expect(count('18446744073709551615')).toBe('18,446,744,073,709,551,615');
  });
  it('shortens to three digits and never rounds up', () => {
    expect(shortCount('25410907')).toBe('25.4 M');
    expect(shortCount('9999')).toBe('9,999');
    expect(shortCount('999999')).toBe('999 k');
  });
  it('shortens for a narrow place only beyond a billion', () => {
    expect(fitCount(999_999_999n)).toBe('999,999,999');
    expect(fitCount(6_000_000_000_000n)).toBe('6.0 T');
  });
});

describe('sizes', () => {
  it('uses decimal units with three digits', () => {
    expect(bytes(12_249_000_000)).toBe('12.2 GB');
    expect(bytes(20_000_000_000)).toBe('20 GB');
    expect(bytes(8_765_432_109_876_543)).toBe('8.7 PB');
    expect(bytes(812)).toBe('812 B');
    expect(bytes(0)).toBe('0 B');
  });
  it('knows no share of nothing', () => {
    expect(share(5, 0)).toBeNull();
    expect(share(5, -1)).toBeNull();
    expect(share(300, 200)).toBe(100);
  });
});

describe('rates', () => {
  it('goes per minute below one in ten seconds', () => {
    expect(rate(0.04)).toBe('2.4/min');
    expect(rate(1.16)).toBe('1.2/s');
    expect(rate(1240.4)).toBe('1,240/s');
    expect(rate(0)).toBe('0/s');
  });
});

describe('time', () => {
  const now = Date.parse('2026-11-30T09:42:18.204Z');
  it('rounds ages down', () => {
    expect(span(18 * 60_000 + 59_000)).toBe('18 min');
    expect(span(167 * 3_600_000)).toBe('6 d 23 h');
    expect(span(130_000)).toBe('2 min');
  });
  it('calls a second either way now, since clocks differ', () => {
    expect(fromNow('2026-11-30T09:42:19.500Z', now)).toBe('now');
    expect(fromNow('2026-11-30T09:42:10.204Z', now)).toBe('8 s ago');
    expect(lastTime('2026-11-30T09:42:18.000Z', now)).toBe('last one just now');
    expect(lastTime('2026-11-30T09:42:10.204Z', now)).toBe('last 8 s ago');
  });
  it('gives a fresh credential of 90 days 90 days', () => {
    expect(fromNow(new Date(now + 90 * 86_400_000 - 3_000).toISOString(), now)).toBe('in 90 d');
  });
  it('writes UTC with its name', () => {
    expect(dateTime('2026-11-30T09:42:18.204Z', 'utc')).toBe('2026-11-30 09:42:18 UTC');
    expect(clock('2026-11-30T09:42:18.204Z', 'utc')).toBe('09:42:18.204');
  });
});

describe('keys', () => {
  it('shows both ends of a long one', () => {
    expect(shortKey('UBQ2TZCL7LQNP4G6WEWPN5K6CXVDWQR4FDNQ5B4QPZ3CTB4XKJ7N6Y5E')).toBe('UBQ2TZCL7…6Y5E');
    expect(shortKey('team')).toBe('team');
  });
});
