import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { penstock, rememberHome } from './stack.ts';

/** Starts a stack of its own on random ports, or uses the one PENSTOCK_E2E_HOME names. */
export default function startStack(): void {
  const home = process.env.PENSTOCK_E2E_HOME ?? mkdtempSync(join(tmpdir(), 'penstock-e2e-'));
  rememberHome(home);
  if (process.env.PENSTOCK_E2E_HOME) return;
  execFileSync(penstock, ['up', '--home', home, '--ports', 'random'], { stdio: 'inherit' });
}
