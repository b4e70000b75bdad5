import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { client, type Language, nats, store } from '../support/nats.ts';
import { person, signUp } from '../support/person.ts';
import { status, up } from '../support/stack.ts';

test.describe.configure({ mode: 'serial' });

const folder = mkdtempSync(join(tmpdir(), 'penstock-creds-'));
const ada = person('ada');
const bob = person('bob');
let page: Page;
let account: string;
let creds: string;

/** Presses "Create credential" and stores the file. */
async function downloadCredential(on: Page, accountId: string, name: string): Promise<string> {
  await on.goto(`${status().console}/accounts/${accountId}/credentials?create=true`);
  const dialog = on.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Create credential' }).click();
  const ready = on.getByRole('dialog', { name: /is ready/ });
  await expect(ready).toBeVisible();
  const download = on.waitForEvent('download');
  await ready.getByRole('button', { name: 'Download' }).click();
  const path = join(folder, `${name}.creds`);
  await (await download).saveAs(path);
  await ready.getByLabel('I have stored it').check();
  await ready.getByRole('button', { name: 'Done' }).click();
  return path;
}

test.beforeAll(async ({ browser }) => {
  page = await browser.newPage();
});

test.afterAll(async () => {
  await page.close();
});

test('1. everything is up and says so', async () => {
  const now = status();
  expect(now.services.map((service) => service.state)).toEqual(now.services.map(() => 'ready'));
  expect((await fetch(now.console)).status).toBe(200);
});

test('2. signs up with a code and lands in an account with a checklist', async () => {
  account = await signUp(page, ada, 'code');
  await page.goto(`${status().console}/accounts/${account}/get-started`);
  await expect(page.getByRole('heading', { name: 'Get started' })).toBeVisible();
  await expect(page.getByText('None of four done')).toBeVisible();
});

test('3. creates a credential that is shown once', async () => {
  const seeds: string[] = [];
  page.on('response', async (response) => {
    if (!response.url().includes('/v1/')) return;
    const text = await response.text().catch(() => '');
    if (/S[UAO][A-Z2-7]{56}/.test(text)) seeds.push(response.url());
  });
  creds = await downloadCredential(page, account, 'first-app');
  const file = readFileSync(creds, 'utf8');
  expect(file).toContain('BEGIN NATS USER JWT');
  expect(file).toMatch(/\nSU[A-Z2-7]{56}\n/);
  await page.reload();
  await expect(page.getByText('first-app').first()).toBeVisible();
  expect(await page.content()).not.toMatch(/SU[A-Z2-7]{56}/);
  await expect.poll(() => seeds.length).toBe(1);
});

test('4. the nats CLI connects with the file', async () => {
  const { client: url } = status();
  const round = await nats(url, creds, 'rtt');
  expect(round.output, round.output).toContain('nats://');
  const published = await nats(url, creds, 'pub', 'hello', 'world');
  expect(published.code, published.output).toBe(0);
});

for (const language of ['java', 'javascript', 'go', 'python'] as Language[]) {
  test(`4. the ${language} client: publish, subscribe, queue group, request over TCP and WebSocket`, async () => {
    const expected = { received: 'hello', answered: 'are you there', worked: 10 };
    expect(await client(language, status().client, creds, `tcp.${language}`)).toEqual(expected);
    expect(await client(language, status().websocket, creds, `ws.${language}`)).toEqual(expected);
  });
}

test('4. the checklist has seen the connection', async () => {
  await page.goto(`${status().console}/accounts/${account}/get-started`);
  await expect(page.getByText(/connected from/).first()).toBeVisible();
});

test('5. creates a stream in the console, sees it in the CLI', async () => {
  await page.goto(`${status().console}/accounts/${account}/streams/~new`);
  await page.getByLabel('Name').fill('ORDERS');
  await page.getByLabel('Description').fill('Orders of the shop');
  const subjects = page.getByLabel('Subjects');
  await subjects.fill('orders.>');
  await subjects.press('Enter');
  await page.getByRole('button', { name: 'Create stream' }).click();
  await expect(page.getByRole('heading', { name: /ORDERS/ })).toBeVisible();
  const info = await nats(status().client, creds, 'stream', 'info', 'ORDERS', '--json');
  expect(info.code, info.output).toBe(0);
  const { config } = JSON.parse(info.output) as { config: { subjects: string[]; description: string; storage: string } };
  expect(config).toMatchObject({ subjects: ['orders.>'], description: 'Orders of the shop', storage: 'file' });
});

test('5. creates a stream in the CLI, sees it in the console', async () => {
  const added = await nats(status().client, creds, 'stream', 'add', 'EVENTS', '--subjects', 'events.*', '--defaults');
  expect(added.code, added.output).toBe(0);
  await page.goto(`${status().console}/accounts/${account}/streams`);
  await expect(page.getByRole('link', { name: 'EVENTS' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'ORDERS' })).toBeVisible();
});

test('5. three orders survive SIGKILL of the node; what was not acknowledged comes again', async () => {
  const { client: url } = status();
  for (const order of ['first', 'second', 'third']) {
    await store(url, creds, `orders.eu.${order}`, `order ${order}`);
  }
  const made = await nats(url, creds, 'consumer', 'add', 'ORDERS', 'worker', '--pull', '--ack', 'explicit', '--wait', '2s', '--defaults');
  expect(made.code, made.output).toBe(0);
  const first = await nats(url, creds, 'consumer', 'next', 'ORDERS', 'worker', '--ack', '--raw');
  expect(first.output).toContain('order first');
  const second = await nats(url, creds, 'consumer', 'next', 'ORDERS', 'worker', '--no-ack', '--raw');
  expect(second.output).toContain('order second');

  await page.goto(`${status().console}/accounts/${account}/streams/ORDERS`);
  await expect(page.getByText('orders.eu.third').first()).toBeVisible();

  const node = status().services.find((service) => service.name === 'node-a');
  process.kill(node?.pid as number, 'SIGKILL');
  await expect.poll(() => status().services.find((service) => service.name === 'node-a')?.state).toBe('dead');
  up();

  const info = await nats(url, creds, 'stream', 'info', 'ORDERS', '--json');
  expect((JSON.parse(info.output) as { state: { messages: number; last_seq: number } }).state).toMatchObject({ messages: 3, last_seq: 3 });
  const seen = new Set<string>();
  await expect
    .poll(
      async () => {
        const next = await nats(url, creds, 'consumer', 'next', 'ORDERS', 'worker', '--ack', '--raw');
        const order = /order (\w+)/.exec(next.output)?.[1];
        if (order) seen.add(order);
        return [...seen].sort().join(' ');
      },
      { timeout: 90_000 },
    )
    .toBe('second third');
});

test('6. a second tenant, signed up by link, sees none of it', async ({ browser }) => {
  const other = await browser.newContext();
  const theirs = await other.newPage();
  const theirAccount = await signUp(theirs, bob, 'link');
  expect(theirAccount).not.toBe(account);
  const theirCreds = await downloadCredential(theirs, theirAccount, 'their-app');
  const { client: url } = status();

  expect((await nats(url, theirCreds, 'stream', 'ls', '--names')).output).not.toContain('ORDERS');
  const added = await nats(url, theirCreds, 'stream', 'add', 'ORDERS', '--subjects', 'orders.>', '--defaults');
  expect(added.code, added.output).toBe(0);
  await store(url, theirCreds, 'orders.eu.theirs', 'their order');

  const mine = await nats(url, creds, 'stream', 'info', 'ORDERS', '--json');
  expect((JSON.parse(mine.output) as { state: { messages: number } }).state.messages).toBe(3);
  await theirs.goto(`${status().console}/accounts/${account}/streams`);
  await expect(theirs.getByRole('link', { name: 'EVENTS' })).toHaveCount(0);
  const stolen = await theirs.request.get(`${status().api}/accounts/${account}/streams`);
  expect(stolen.status()).toBe(404);
  await other.close();
});
