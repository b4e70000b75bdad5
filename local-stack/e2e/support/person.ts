import { expect, type Page } from '@playwright/test';
import { codeTo, linkTo } from './mail.ts';
import { status } from './stack.ts';

export interface Person {
  email: string;
  password: string;
  organisation: string;
}

export function person(name: string): Person {
  const unique = `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
  return { email: `${name}-${unique}@example.com`, password: `correct horse ${unique}`, organisation: `${name} ${unique}` };
}

/** Signs up, confirms the address by code or by link, signs in, and waits until the account is there. Answers its id. */
export async function signUp(page: Page, who: Person, way: 'code' | 'link'): Promise<string> {
  await page.goto(`${status().console}/signup`);
  await page.getByLabel('Work e-mail').fill(who.email);
  await page.getByLabel('Organisation').fill(who.organisation);
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your mail' })).toBeVisible();
  if (way === 'code') {
    await page.getByLabel('Six-digit code').fill(await codeTo(who.email));
    await page.getByLabel('Password', { exact: true }).fill(who.password);
    await page.getByRole('button', { name: 'Confirm' }).click();
  } else {
    await page.goto(await linkTo(who.email));
    await page.getByLabel('Password', { exact: true }).fill(who.password);
    await page.getByRole('button', { name: 'Confirm my address' }).click();
  }
  return signIn(page, who);
}

/** Fills in the identity provider's page, which the console leads to. */
export async function signIn(page: Page, who: Person): Promise<string> {
  const password = page.locator('input[type=password]');
  await expect(password).toBeVisible({ timeout: 60_000 });
  const name = page.locator('input[name=username]');
  if (await name.isEditable().catch(() => false)) await name.fill(who.email);
  await password.fill(who.password);
  await page.locator('button[type=submit], input[type=submit]').first().click();
  await page.waitForURL(/\/accounts\/acct_[^/]+/, { timeout: 90_000 });
  const account = /\/accounts\/(acct_[^/?]+)/.exec(page.url())?.[1];
  if (!account) throw new Error(`no account in ${page.url()}`);
  return account;
}
