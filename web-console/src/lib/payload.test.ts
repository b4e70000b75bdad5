import { describe, expect, it } from 'vitest';
import { bestView, hexDump, payloadJson, payloadText } from './payload';

describe('payloads', () => {
  it('shows JSON indented and anything else as it is', () => {
    expect(payloadJson({ encoding: 'utf8', data: '{"a":1}', truncated: false })).toBe('{\n  "a": 1\n}');
    expect(bestView({ encoding: 'utf8', data: 'first water', truncated: false })).toBe('Text');
    expect(bestView({ encoding: 'base64', data: '/wAB', truncated: false })).toBe('Hex');
  });
  it('does not call a cut-off payload JSON', () => {
    expect(payloadJson({ encoding: 'utf8', data: '{"a":1}', truncated: true })).toBeNull();
  });
  it('dumps bytes with their offset', () => {
    expect(hexDump(Uint8Array.from([0x41, 0x00, 0xff]))).toContain('000000  41 00 ff');
    expect(payloadText({ encoding: 'base64', data: 'aGk=', truncated: false })).toBe('hi');
  });
});
