import { describe, expect, it } from 'vitest';
import { timeline } from './timeline';

describe('the sequence timeline', () => {
  it('is linear from the ack floor on and broken before it', () => {
    const line = timeline({ firstSeq: '1', lastSeq: '1000', ackFloor: '900', delivered: '950' });
    expect(line.broken).toBe(true);
    expect(line.deliveredAt - line.ackFloorAt).toBeCloseTo((1 - line.ackFloorAt) / 2);
  });
  it('is whole when little is acknowledged', () => {
    const line = timeline({ firstSeq: '1', lastSeq: '100', ackFloor: '0', delivered: '10' });
    expect(line).toMatchObject({ broken: false, ackFloorAt: 0 });
    expect(line.deliveredAt).toBeCloseTo(0.1);
  });
  it('ends at the end when everything is acknowledged', () => {
    expect(timeline({ firstSeq: '5', lastSeq: '9', ackFloor: '9', delivered: '9' })).toMatchObject({ ackFloorAt: 1, deliveredAt: 1 });
  });
  it('keeps inside the stream when its first messages are gone', () => {
    const line = timeline({ firstSeq: '500', lastSeq: '600', ackFloor: '10', delivered: '20' });
    expect(line.ackFloor).toBe(499n);
    expect(line.ackFloorAt).toBe(0);
  });
  it('draws an empty stream', () => {
    expect(timeline({ firstSeq: '1', lastSeq: '0', ackFloor: '0', delivered: '0' }).deliveredAt).toBe(0);
  });
});
