import { describe, expect, it } from 'vitest';
import { durationShort, durationWords, msToForm, parseDuration, toDuration } from './duration';

describe('durations of the broker', () => {
  it('reads compound and fractional forms', () => {
    expect(parseDuration('1h30m0s')).toBe(5_400_000);
    expect(parseDuration('168h0m0s')).toBe(604_800_000);
    expect(parseDuration('1.5s')).toBe(1_500);
    expect(parseDuration('250ms')).toBe(250);
    expect(parseDuration('0s')).toBe(0);
  });
  it('refuses what is none', () => {
    for (const text of ['', 'soon', '5', '5 m', 'm5']) expect(parseDuration(text)).toBeNull();
  });
  it('writes a form that it reads back as the same', () => {
    for (const ms of [1, 250, 1_000, 90_000, 7_200_000, 2_592_000_000]) expect(parseDuration(toDuration(ms))).toBe(ms);
  });
  it('speaks in the largest whole unit', () => {
    expect(msToForm(2_592_000_000)).toEqual({ value: 30, unit: 'days' });
    expect(durationWords(3_600_000)).toBe('1 hour');
    expect(durationShort('2m0s')).toBe('2 min');
  });
});
