import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, '..', '..', '..');
export const penstock = join(root, 'penstock');
const homeFile = join(here, '..', 'node_modules', '.penstock-home');

/** Setup, tests and teardown run in processes of their own; a file tells them where the stack is. */
export function rememberHome(path: string): void {
  writeFileSync(homeFile, path);
}

export function home(): string {
  return readFileSync(homeFile, 'utf8');
}

export interface Status {
  console: string;
  api: string;
  client: string;
  websocket: string;
  monitor: string;
  mail: string;
  services: { name: string; pid: number | null; state: string; log: string }[];
}

/** What `status --json` says; it exits with 3 while something does not run. */
export function status(): Status {
  try {
    return JSON.parse(execFileSync(penstock, ['status', '--json', '--home', home()], { encoding: 'utf8' })) as Status;
  } catch (failure) {
    const { status: code, stdout } = failure as { status: number; stdout: string };
    if (code !== 3) throw failure;
    return JSON.parse(stdout) as Status;
  }
}

/** Starts what does not run. */
export function up(): void {
  execFileSync(penstock, ['up', '--home', home()], { stdio: 'inherit' });
}

/** Loses a broker node, or brings it back. */
export function node(act: 'kill' | 'isolate' | 'start', name: string): void {
  execFileSync(penstock, ['node', act, name, '--home', home()], { stdio: 'inherit' });
}
