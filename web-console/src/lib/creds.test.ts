import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hiddenCreds, joinCommand, shownCreds } from './creds';

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

it('joins JWT and seed in a shell into the file that clients read', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'creds-'));
  writeFileSync(join(cwd, 'app.jwt'), 'eyJ.e30.c2ln');
  writeFileSync(join(cwd, 'user.nk'), 'SUAEXAMPLE\n');
  execFileSync('sh', ['-c', joinCommand('app.jwt', 'user.nk', 'app.creds')], { cwd });
  expect(readFileSync(join(cwd, 'app.creds'), 'utf8')).toBe(
    '-----BEGIN NATS USER JWT-----\neyJ.e30.c2ln\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\nSUAEXAMPLE\n------END USER NKEY SEED------\n',
  );
});
