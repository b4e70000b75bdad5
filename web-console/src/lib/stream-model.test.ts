import { describe, expect, it } from 'vitest';
import { makeStream } from '../../testing/seed';
import { streamAddCommand } from './code-tabs';
import { EMPTY_SOURCE } from './stream-form';
import { mergeRows, safeMerge } from './merge';
import { briefConfig, changes, EMPTY_STREAM, fromStream, type StreamForm, streamErrors, streamSentence, toConfig, toPatch } from './stream-model';

const form = (change: Partial<StreamForm>): StreamForm => ({ ...EMPTY_STREAM, name: 'ORDERS', subjects: ['orders.>'], ...change });

describe('the configuration of the form', () => {
  it('speaks the broker’s words and units', () => {
    const config = toConfig(form({ maxAge: '7', maxBytes: '20', maxMsgSize: '1', discard: 'new', compress: true }));
    expect(config).toMatchObject({ max_age: '168h', max_bytes: 20_000_000_000, max_msg_size: 1_000_000, max_msgs: -1, discard: 'new', compression: 's2', duplicate_window: '2m' });
  });
  it('comes back the same from a stream that has it', () => {
    const start = form({ maxAge: '36', maxAgeUnit: 'hours', maxBytes: '512', maxBytesUnit: 'MB', maxMsgs: '1000', storage: 'memory', denyPurge: true });
    const stream = makeStream('ORDERS', ['orders.>'], toConfig(start) as object).stream;
    expect(toConfig(fromStream(stream))).toEqual(toConfig(start));
  });
  it('carries every field of a rich stream there and back', () => {
    const start = form({
      subjects: ['orders.>'],
      metadata: 'team=billing\ntier=1',
      sources: [{ ...EMPTY_SOURCE, name: 'SHOP', startSeq: '18446744073709551615', filter: 'a.>', transforms: 'a.> b.>', externalApi: 'JS.shop.API', externalDeliver: 'd.shop' }],
      transformSrc: 'orders.>',
      transformDest: 'all.orders.>',
      maxMsgsPerSubject: '5',
      maxConsumers: '9',
      discard: 'new',
      discardPerSubject: true,
      allowMsgTtl: true,
      markerTtl: '30',
      replicas: '3',
      placementCluster: 'eu',
      placementTags: ['az:a'],
      firstSeq: '1000',
      noAck: true,
      allowAtomic: true,
      allowBatched: true,
      allowCounter: true,
      allowSchedules: true,
      republishSrc: 'orders.>',
      republishDest: 'kept.>',
      republishHeaders: true,
      protect: true,
      limitAckPending: '50',
      limitInactive: '5',
    });
    expect(streamErrors(start)).toEqual({});
    const stream = makeStream('ORDERS', ['orders.>'], toConfig(start) as object).stream;
    expect(toConfig(fromStream(stream))).toEqual(toConfig(start));
  });
  it('gives a mirror no subjects of its own', () => {
    const config = toConfig(form({ subjects: [], mirror: { ...EMPTY_SOURCE, name: 'ORDERS' } }));
    expect(config.subjects).toBeUndefined();
    expect(config.mirror).toEqual({ name: 'ORDERS' });
  });
  it('leaves defaults out of the code people read', () => {
    expect(Object.keys(briefConfig(form({ allowDirect: false })))).toEqual(['name', 'subjects', 'retention', 'storage', 'discard']);
  });
});

describe('the checks of the form', () => {
  it('names the field and the value', () => {
    expect(streamErrors(form({ name: 'a.b' })).name).toContain('a.b');
    expect(streamErrors(form({ maxBytes: 'many' })).maxBytes).toContain('many');
    expect(streamErrors(form({ subjects: [] })).subjects).toBeDefined();
    expect(streamErrors(form({ maxMsgs: '1.5' })).maxMsgs).toContain('whole');
  });
  it('refuses a duplicate window longer than the oldest age', () => {
    expect(streamErrors(form({ maxAge: '1', maxAgeUnit: 'minutes' })).dupWindow).toContain('longer');
  });
  it('passes a form that can be sent', () => {
    expect(streamErrors(form({ maxAge: '1', maxBytes: '0.5' }))).toEqual({});
  });
});

describe('the sentence', () => {
  it('says what acts first and what happens when full', () => {
    expect(streamSentence(form({ maxAge: '30', maxBytes: '5' }))).toBe(
      'Keeps the last 30 days or 5 GB, whichever is less. When full, the oldest go first. Every message is on disk before its publisher hears OK.',
    );
  });
  it('warns that memory does not survive a restart', () => {
    expect(streamSentence(form({ storage: 'memory' }))).toContain('lost when the node restarts');
  });
});

describe('edits', () => {
  const before = form({ maxBytes: '20', maxAge: '7' });
  it('sends only what changed', () => {
    expect(toPatch(changes(before, form({ maxBytes: '25', maxAge: '7' })))).toEqual({ max_bytes: 25_000_000_000 });
  });
  it('keeps theirs where both changed a field and adds mine elsewhere', () => {
    const rows = mergeRows(changes(before, form({ maxBytes: '30', maxAge: '7' })), changes(before, form({ maxBytes: '25', maxAge: '14' })));
    expect(rows.find((row) => row.field === 'max_bytes')?.clash).toBe(true);
    expect(safeMerge(rows).map((row) => row.field)).toEqual(['max_age']);
  });
});

describe('patches', () => {
  it('name an entry that is gone from a map with null, and a flag that is off with false', () => {
    const patch = toPatch(changes(form({ metadata: 'a=1\nb=2', noAck: true }), form({ metadata: 'b=3' })));
    expect(patch).toEqual({ metadata: { a: null, b: '3' }, no_ack: false });
  });
});

describe('the command', () => {
  it('asks the broker itself where the CLI has no flag, with durations in nanoseconds', () => {
    const text = streamAddCommand(briefConfig(form({ maxAge: '1', maxAgeUnit: 'hours', sources: [{ ...EMPTY_SOURCE, name: 'SHOP', filter: 'a.>' }] })));
    expect(text).toContain("nats request '$JS.API.STREAM.CREATE.ORDERS'");
    expect(text).toContain('"max_age":3600000000000');
    expect(text).toContain('"filter_subject":"a.>"');
  });
  it('quotes wildcards and words with spaces for a shell', () => {
    const text = streamAddCommand(briefConfig(form({ description: "Ines' orders", subjects: ['orders.*', 'a.b'] })));
    expect(text).toContain("--subjects='orders.*'");
    expect(text).toContain('--subjects=a.b');
    expect(text).toContain(`--description='Ines'\\'' orders'`);
  });
});
