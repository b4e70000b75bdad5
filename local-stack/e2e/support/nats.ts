import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { root } from './stack.ts';

const run = promisify(execFile);

/** What a command printed, and how it ended. */
export interface Outcome {
  code: number;
  output: string;
}

async function outcome(program: string, args: readonly string[], cwd?: string): Promise<Outcome> {
  try {
    const { stdout, stderr } = await run(program, args, { cwd, timeout: 180_000, env: { ...process.env, NATS_CONTEXT: '' } });
    return { code: 0, output: stdout + stderr };
  } catch (failure) {
    const { code, stdout = '', stderr = '' } = failure as { code?: number; stdout?: string; stderr?: string };
    return { code: typeof code === 'number' ? code : -1, output: `${stdout}${stderr}` };
  }
}

/** The real nats CLI with a credentials file. */
export function nats(url: string, creds: string, ...args: string[]): Promise<Outcome> {
  return outcome('nats', ['--server', url, '--creds', creds, '--timeout', '20s', ...args]);
}

/** Publishes until it is stored. The identifier lets it be stored once, however often an answer comes too late. */
export async function store(url: string, creds: string, subject: string, text: string): Promise<void> {
  const id = crypto.randomUUID();
  await expect
    .poll(async () => (await nats(url, creds, 'req', subject, text, '--header', `Nats-Msg-Id:${id}`)).output, { timeout: 90_000 })
    .toContain('"stream"');
}

export type Language = 'java' | 'javascript' | 'go' | 'python';

/** A program with the client library of that language: publish, subscribe, queue group, request and reply. */
export async function client(language: Language, url: string, creds: string, prefix: string): Promise<{ received: string; answered: string; worked: number }> {
  const clients = join(root, 'local-stack', 'e2e', 'clients');
  const programs: Record<Language, [string, string[], string]> = {
    java: [
      process.env.JAVA_HOME ? join(process.env.JAVA_HOME, 'bin', 'java') : 'java',
      ['-cp', readFileSync(join(root, 'local-stack', 'target', 'test.classpath'), 'utf8').trim(), join(clients, 'Client.java')],
      clients,
    ],
    javascript: [process.execPath, [join(clients, 'client.mjs')], clients],
    go: ['go', ['run', '.'], join(clients, 'go')],
    python: [process.env.PENSTOCK_PYTHON ?? 'python3', [join(clients, 'client.py')], clients],
  };
  const [program, args, cwd] = programs[language];
  const { code, output } = await outcome(program, [...args, url, creds, prefix], cwd);
  const line = output.split('\n').find((text) => text.startsWith('{'));
  if (code !== 0 || !line) throw new Error(`the ${language} client ended with ${code}:\n${output}`);
  return JSON.parse(line) as { received: string; answered: string; worked: number };
}
