// Enough of the nkey format to tell a public user key from a typo, and from a seed.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function decode(text: string): Uint8Array | null {
  let bits = 0;
  let held = 0;
  const out: number[] = [];
  for (const char of text) {
    const value = ALPHABET.indexOf(char);
    if (value < 0) return null;
    held = (held << 5) | value;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      out.push((held >> bits) & 0xff);
    }
  }
  return Uint8Array.from(out);
}

/** CRC-16/XMODEM, which ends every nkey in little-endian order. */
function crc16(data: Uint8Array): number {
  let crc = 0;
  for (const byte of data) {
    crc ^= byte << 8;
    for (let i = 0; i < 8; i++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}

export function looksLikeSeed(text: string): boolean {
  return /^S[UAONCX]/.test(text.trim()) || text.includes('NKEY SEED');
}

/** Why text is not a public user nkey; null when it is one. The text of a seed is never repeated. */
export function userKeyProblem(text: string): string | null {
  const key = text.trim();
  if (key === '') return 'The public key is needed; it starts with U.';
  if (looksLikeSeed(key)) return 'This is a seed. Keep it: only the public key, which starts with U, goes here.';
  if (!/^U[A-Z2-7]{55}$/.test(key)) return 'A public user nkey is 56 characters long, starts with U and has capital letters and 2 to 7.';
  const raw = decode(key);
  if (!raw || raw.length < 35) return 'These characters do not decode to a key.';
  const given = (raw[33] as number) | ((raw[34] as number) << 8);
  if (crc16(raw.subarray(0, 33)) !== given) return 'The checksum does not match: a character is wrong or missing.';
  return null;
}
