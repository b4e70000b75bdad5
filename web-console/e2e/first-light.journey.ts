import { readFile } from 'node:fs/promises';
import { IDS } from '../testing/seed';
import { expect, storedText, test } from './console';

const A = `/accounts/${IDS.account}`;

test('a new user signs up, gets a credential once, is seen connecting and keeps messages', async ({ page, state, url }) => {
  state.session = false;
  await page.goto(url);
  await expect(page.getByRole('heading', { name: 'A broker of your own in a minute' })).toBeVisible();
  await page.getByLabel('Work e-mail').fill('ines@meridian-freight.example');
  await page.getByLabel('Organisation').fill('Meridian Freight');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByLabel('Six-digit code').fill('419 072');
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Confirm' }).click();

  await expect(page.getByRole('heading', { name: 'Get started' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe(`${A}/get-started`);
  await page.getByRole('link', { name: 'Create credential' }).click();
  const create = page.getByRole('dialog');
  await create.getByLabel('Name').fill('first-app');
  await create.getByRole('button', { name: 'Create credential' }).click();

  const ready = page.getByRole('dialog', { name: /is ready/ });
  const download = page.waitForEvent('download');
  await ready.getByRole('button', { name: 'Download' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('first-app.creds');
  const text = await readFile(await file.path(), 'utf8');
  const seed = /\nSU\w+\n/.exec(text)?.[0].trim() ?? 'no seed in the file';
  expect(text).toContain('BEGIN NATS USER JWT');
  expect(seed).toMatch(/^SUA/);
  expect(await storedText(page)).not.toContain(seed);

  await page.keyboard.press('Escape');
  await expect(ready).toBeVisible();
  await ready.getByLabel('I have stored it').check();
  await ready.getByRole('button', { name: 'Done' }).click();
  await expect(ready).toBeHidden();
  expect(await page.content()).not.toContain(seed);
  expect(await storedText(page)).not.toContain(seed);

  await page.getByRole('link', { name: /Get started/ }).click();
  await expect(page.getByText('Waiting for your client’s first connection')).toBeVisible();
  state.connected = { at: new Date().toISOString(), lang: 'go', version: '1.55.0', ip: '203.0.113.7', user: 'first-app' };
  await expect(page.getByText(/first-app connected from 203.0.113.7/)).toBeVisible();
  await page.getByRole('button', { name: 'Create HELLO for me' }).click();
  await expect(page.getByText('Waiting for the first message')).toBeVisible();
  state.publishedAt = new Date().toISOString();
  await expect(page.getByText('All four done')).toBeVisible();
  await page.getByRole('link', { name: 'HELLO' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'HELLO' })).toBeVisible();
  await expect(page.getByText('No message yet')).toBeVisible();
});

test('signing out ends the session and says what stays connected', async ({ page, state, url }) => {
  await page.goto(url + A);
  await page.getByRole('button', { name: /Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
  expect(state.session).toBe(false);
});

test('a page asked for without a session comes back after signing in', async ({ page, state, url }) => {
  state.session = false;
  await page.goto(`${url}${A}/streams?view=workqueue`);
  await expect(page.getByText('No stream yet')).toBeVisible();
  expect(page.url()).toBe(`${url}${A}/streams?view=workqueue`);
});
