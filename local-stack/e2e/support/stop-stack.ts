import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { home, penstock } from './stack.ts';

/** Stops the stack this run started; one that was there before stays. */
export default function stopStack(): void {
  if (process.env.PENSTOCK_E2E_HOME) return;
  execFileSync(penstock, ['down', '--home', home()], { stdio: 'inherit' });
  if (!process.env.PENSTOCK_E2E_KEEP) rmSync(home(), { recursive: true, force: true });
}
