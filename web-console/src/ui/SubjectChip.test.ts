import { describe, expect, it } from 'vitest';
import { shownTokens } from './SubjectChip';

describe('a subject in a table', () => {
  it('is whole where it fits', () => {
    expect(shownTokens('orders.eu.>', 38)).toEqual(['orders', 'eu', '>']);
  });

  it('keeps its first tokens and its last where it is long', () => {
    expect(shownTokens('warehouse.*.refrigerated.container.*.temperature.celsius.>', 38)).toEqual(['warehouse', '*', 'refrigerated', 'container', '…', '>']);
  });

  it('keeps a first token that is too long by itself', () => {
    expect(shownTokens(`${'a'.repeat(60)}.b.c`, 38)).toEqual(['a'.repeat(60), '…', 'c']);
  });
});
