import { describe, expect, it } from 'vitest';
import { looksLikeSeed, userKeyProblem } from './nkey';

const KEY = 'UDTHQKLEKOL4GE5N2CABHOESIXQ6JPWWNRBQGKQJLSIJSYBRNWCCNTWP';

describe('public user keys', () => {
  it('takes a key made by the nats CLI', () => {
    expect(userKeyProblem(KEY)).toBeNull();
    expect(userKeyProblem(` ${KEY}\n`)).toBeNull();
  });
  it('finds a changed character by the checksum', () => {
    for (const at of [1, 20, 40, 55]) {
      const other = KEY[at] === 'A' ? 'B' : 'A';
      expect(userKeyProblem(KEY.slice(0, at) + other + KEY.slice(at + 1))).not.toBeNull();
    }
  });
  it('refuses a seed without repeating it', () => {
    const seed = 'SUAJ4QX3ZOTAREALSEED';
    expect(looksLikeSeed(seed)).toBe(true);
    expect(userKeyProblem(seed)).toContain('seed');
    expect(userKeyProblem(seed)).not.toContain(seed);
  });
  it('refuses keys of other kinds', () => {
    expect(userKeyProblem(`A${KEY.slice(1)}`)).toContain('starts with U');
  });
});
