import { describe, expect, it } from 'vitest';
import { closest, nameProblem, subjectProblem, subjectsOverlap } from './subject';

describe('subjects', () => {
  it.each([
    ['orders.>', 'orders.eu', true],
    ['orders.>', 'orders', false],
    ['orders.*', 'orders.eu.new', false],
    ['*.eu', 'orders.*', true],
    ['>', 'a', true],
    ['a.b', 'a.c', false],
    ['a.*.c', 'a.b.>', true],
    ['a.b.c', 'a.>', true],
  ])('%s and %s overlap: %s', (a, b, overlap) => {
    expect(subjectsOverlap(a, b)).toBe(overlap);
    expect(subjectsOverlap(b, a)).toBe(overlap);
  });
  it('says what is wrong with a filter', () => {
    expect(subjectProblem('orders..eu')).toContain('empty token');
    expect(subjectProblem('orders.>.eu')).toContain('last token');
    expect(subjectProblem('or ders')).toContain('space');
    expect(subjectProblem('orders.*.>')).toBeNull();
  });
});

describe('names', () => {
  it('takes what broker and API both take', () => {
    expect(nameProblem('ORDERS_v2-a')).toBeNull();
    for (const name of ['', 'a.b', 'a b', 'a*']) expect(nameProblem(name)).not.toBeNull();
  });
  it('finds the nearest name, and none when all are far', () => {
    expect(closest('ordr', ['PAYMENTS', 'ORDERS'])).toBe('ORDERS');
    expect(closest('zzzzzzzz', ['ORDERS'])).toBeNull();
  });
});
