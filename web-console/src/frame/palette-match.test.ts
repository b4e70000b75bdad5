import { describe, expect, it } from 'vitest';
import { type Entry, match, search } from './palette-match';

const entry = (text: string, kind = 'stream', group: Entry['group'] = 'Go to'): Entry => ({ id: text, group, text, kind, run: () => undefined });

describe('the palette', () => {
  it('marks each typed word in the name', () => {
    expect(match(entry('ORDERS / billing-worker', 'consumer'), 'ord bill')?.pieces.filter((piece) => piece.hit).map((piece) => piece.text)).toEqual(['ORD', 'bill']);
  });
  it('wants every word', () => {
    expect(match(entry('ORDERS'), 'ord zzz')).toBeNull();
  });
  it('puts names that start with the text first and keeps groups together', () => {
    const found = search([entry('US_ORDERS'), entry('Order test', '', 'Run'), entry('ORDERS')], 'ord').map((hit) => hit.entry.text);
    expect(found).toEqual(['ORDERS', 'US_ORDERS', 'Order test']);
  });
});
