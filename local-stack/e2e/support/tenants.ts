import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, credsAuthenticator, type NatsConnection } from '@nats-io/transport-node';
import { type APIResponse, type Browser, type BrowserContext, expect, type Page, test as base } from '@playwright/test';
import { nats, type Outcome, store } from './nats.ts';
import { person, type Person, signUp } from './person.ts';
import { status } from './stack.ts';

/** Somebody signed in, with the account the sign-up made and a credential for the broker. */
export class Tenant {
  constructor(
    readonly who: Person,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly account: string,
    private readonly csrf: string,
    private readonly creds: string,
  ) {}

  /** An address of the account in the console. */
  url(path: string): string {
    return `${status().console}/accounts/${this.account}${path}`;
  }

  async goto(path: string): Promise<Page> {
    await this.page.goto(this.url(path));
    return this.page;
  }

  /** A call of the API as this person, for what a test only needs to be there. */
  async call<T>(method: 'GET' | 'POST' | 'PATCH', path: string, data?: object): Promise<T> {
    const answer = await this.page.request.fetch(`${status().api}${path}`, {
      method,
      headers: { 'X-CSRF-Token': this.csrf, Origin: status().console, ...(method === 'POST' ? { 'Idempotency-Key': crypto.randomUUID() } : {}) },
      ...(data ? { data } : {}),
    });
    return read<T>(answer);
  }

  /** A connection to the broker with this tenant's credential. */
  connect(): Promise<NatsConnection> {
    return connect({ servers: status().client, authenticator: credsAuthenticator(readFileSync(this.creds)), timeout: 30_000 });
  }

  /** The nats CLI with this tenant's credential. */
  nats(...args: string[]): Promise<Outcome> {
    return nats(status().client, this.creds, ...args);
  }

  /** Publishes one message to a stream. */
  store(subject: string, text: string): Promise<void> {
    return store(status().client, this.creds, subject, text);
  }

  /** The nats CLI; fails when the command does. */
  async must(...args: string[]): Promise<string> {
    const { code, output } = await this.nats(...args);
    expect(code, output).toBe(0);
    return output;
  }
}

async function read<T>(answer: APIResponse): Promise<T> {
  const text = await answer.text();
  expect(answer.ok(), text).toBe(true);
  return JSON.parse(text) as T;
}

async function tenant(browser: Browser, name: string): Promise<Tenant> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const who = person(name);
  const account = await signUp(page, who, 'code');
  const me = await read<{ csrf_token: string }>(await page.request.get(`${status().api}/me`));
  const file = join(mkdtempSync(join(tmpdir(), 'penstock-tenant-')), `${name}.creds`);
  const made = new Tenant(who, context, page, account, me.csrf_token, file);
  const issued = await made.call<{ creds: string }>('POST', `/accounts/${account}/credentials`, { name: 'tests' });
  writeFileSync(file, issued.creds, { mode: 0o600 });
  return made;
}

/** What arrives on a subject, as "subject payload"; the broker knows of the subscription when this answers. */
export async function listen(client: NatsConnection, subject: string): Promise<string[]> {
  const seen: string[] = [];
  client.subscribe(subject, {
    callback: (error, message) => {
      seen.push(error ? String(error) : `${message.subject} ${message.string()}`);
    },
  });
  await client.flush();
  return seen;
}

interface Tenants {
  /** Owns the organisation the tests are about. */
  owner: Tenant;
  /** Of another organisation; becomes a member, and imports. */
  guest: Tenant;
  /** Has nothing to do with either. */
  stranger: Tenant;
}

// Made once for all files, when the first test asks.
export const test = base.extend<object, Tenants>({
  owner: [
    async ({ browser }, use) => {
      const made = await tenant(browser, 'owner');
      await use(made);
      await made.context.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  guest: [
    async ({ browser }, use) => {
      const made = await tenant(browser, 'guest');
      await use(made);
      await made.context.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
  stranger: [
    async ({ browser }, use) => {
      const made = await tenant(browser, 'stranger');
      await use(made);
      await made.context.close();
    },
    { scope: 'worker', timeout: 300_000 },
  ],
});

export { expect };

/** Types the name that a destructive act asks for, and confirms it. */
export async function confirmByName(page: Page, act: string, name: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  const button = dialog.getByRole('button', { name: act });
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel(/to go on/).fill(name);
  await expect(button).not.toHaveAttribute('aria-disabled');
  await button.click();
  await expect(dialog).toBeHidden();
}
