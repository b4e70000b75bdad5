import { describe, expect, it } from 'vitest';
import { type Act, exampleSubject, LANGUAGES, snippet } from './snippets';

const input = { url: 'nats://127.0.0.1:4222', creds: 'first-app.creds', user: 'first-app', stream: 'ORDERS', consumer: null, subject: 'orders.new' };

describe('snippets', () => {
  it.each(LANGUAGES)('%s has the real address and the credential in every act', (language) => {
    for (const act of ['publish', 'consume', 'request'] as Act[]) {
      const { text } = snippet(language, act, input);
      expect(text).toContain('nats://127.0.0.1:4222');
      expect(text).toContain('first-app.creds');
    }
  });
  it.each(LANGUAGES)('%s uses the chosen stream and consumer', (language) => {
    const { text } = snippet(language, 'consume', { ...input, consumer: 'fulfilment' });
    expect(text).toContain('ORDERS');
    expect(text).toContain('fulfilment');
  });
  it('makes a subject that can be published on from a filter', () => {
    expect(exampleSubject('orders.*.>')).toBe('orders.one.new');
    expect(exampleSubject(undefined)).toBe('hello.world');
  });
});
