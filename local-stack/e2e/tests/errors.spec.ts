import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { nats } from '../support/nats.ts';
import { person, signUp } from '../support/person.ts';
import { status } from '../support/stack.ts';

test('a wrong password is refused and says so', async ({ page }) => {
  const eve = person('eve');
  await signUp(page, eve, 'code');
  await page.context().clearCookies();
  await page.goto(`${status().console}/auth/login?redirect=%2F`);
  const name = page.locator('input[name=username]');
  if (await name.isEditable().catch(() => false)) await name.fill(eve.email);
  await page.locator('input[type=password]').fill('not the password');
  await page.locator('button[type=submit], input[type=submit]').first().click();
  await expect(page.getByText(/do not go together/).first()).toBeVisible();
});

test('stream name taken, subjects that overlap, a revoked and a forged credential', async ({ page }) => {
  const account = await signUp(page, person('err'), 'code');
  const me = (await (await page.request.get(`${status().api}/me`)).json()) as { csrf_token: string };
  const headers = { 'X-CSRF-Token': me.csrf_token, Origin: status().console };
  const post = (path: string, data: unknown, key?: string) =>
    page.request.post(`${status().api}${path}`, { headers: { ...headers, ...(key ? { 'Idempotency-Key': key } : {}) }, data: data as object });

  const issued = await post(`/accounts/${account}/credentials`, { name: 'errors' }, 'errors-1');
  expect(issued.status(), await issued.text()).toBe(201);
  const credential = (await issued.json()) as { user: { id: string }; creds: string };
  const folder = mkdtempSync(join(tmpdir(), 'penstock-errors-'));
  const file = join(folder, 'errors.creds');
  writeFileSync(file, credential.creds);
  const { client: url } = status();
  expect((await nats(url, file, 'pub', 'a', 'b')).code).toBe(0);

  expect((await post(`/accounts/${account}/streams`, { name: 'ONE', subjects: ['one.>'] })).status()).toBe(201);
  const taken = await post(`/accounts/${account}/streams`, { name: 'ONE', subjects: ['other.>'] });
  expect(taken.status()).toBe(409);
  expect(await taken.json()).toMatchObject({ code: 'already_exists' });
  const overlap = await post(`/accounts/${account}/streams`, { name: 'TWO', subjects: ['one.a'] });
  expect(overlap.status()).toBe(422);
  expect(await overlap.json()).toMatchObject({ code: 'subject_overlap' });

  const text = readFileSync(file, 'utf8');
  const [, jwt = ''] = /BEGIN NATS USER JWT-----\n(\S+)/.exec(text) ?? [];
  const [head = '', body = '', signature = ''] = jwt.split('.');
  const forgedBody = Buffer.from(Buffer.from(body, 'base64url').toString().replace('"errors"', '"admins"')).toString('base64url');
  const forged = join(folder, 'forged.creds');
  writeFileSync(forged, text.replace(jwt, `${head}.${forgedBody}.${signature}`));
  expect((await nats(url, forged, 'pub', 'a', 'b')).output).toMatch(/Authorization Violation/i);

  const revoked = await post(`/users/${credential.user.id}/actions/revoke`, {}, 'errors-2');
  expect(revoked.ok(), await revoked.text()).toBe(true);
  await expect.poll(async () => (await nats(url, file, 'pub', 'a', 'b')).output, { timeout: 90_000 }).toMatch(/Authorization Violation/i);
});
