import { expect, it } from 'vitest';
import { hiddenCreds, shownCreds } from './creds';

const FILE = `-----BEGIN NATS USER JWT-----
${'eyJ'.repeat(100)}
------END NATS USER JWT------

************************* IMPORTANT *************************
NKEY Seed printed below can be used to sign and prove identity.

-----BEGIN USER NKEY SEED-----
SUAMLK2ZNL35WSMW37E7UD4VZ7ELPKW7DHC3BWBSD2GCZ7IUQQXZIORRBU
------END USER NKEY SEED------
`;

it('hides the seed and the rest of the JWT until asked', () => {
  const text = hiddenCreds(FILE).map((line) => line.text).join('\n');
  expect(text).not.toContain('SUAML');
  expect(text).not.toContain('eyJ'.repeat(30));
  expect(text).toContain('BEGIN USER NKEY SEED');
});

it('shows every line when asked', () => {
  expect(shownCreds(FILE).map((line) => line.text).join('\n')).toBe(FILE.trimEnd());
});
