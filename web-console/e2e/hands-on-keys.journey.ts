import { freightState } from '../testing/freight';
import { IDS } from '../testing/seed';
import { CONTENT_SECURITY_POLICY } from '../testing/server';
import { expect, test as base } from './console';

const A = `/accounts/${IDS.account}`;
const test = base.extend({ state: async ({}, use) => use(freightState()) });

test('lists are worked with keys alone', async ({ page, url }) => {
  await page.goto(`${url}${A}/streams`);
  await expect(page.getByRole('link', { name: 'ORDERS', exact: true })).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('tele');
  await expect(page.getByText('1 of 15')).toBeVisible();
  expect(page.url()).toContain('q=tele');
  await page.keyboard.press('Escape');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'TELEMETRY_TRUCKS' })).toBeVisible();
});

test('the palette goes to a stream and gives the focus back when closed', async ({ page, url }) => {
  await page.goto(`${url}${A}/streams`);
  const field = page.getByRole('button', { name: /Open command palette/ });
  await field.focus();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(field).toBeFocused();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox')).toBeFocused();
  await page.keyboard.type('pay');
  await expect(page.getByRole('option', { name: /PAYMENTS/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'PAYMENTS' })).toBeVisible();
});

test('menus are opened, moved in and closed with keys, and give the focus back', async ({ page, url }) => {
  await page.goto(`${url}${A}/streams/FUEL_CARDS`);
  const more = page.getByRole('button', { name: /More actions/ });
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Purge stream' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Delete stream' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(more).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Purge stream' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Keep it' })).toBeFocused();
});

test('a dialog keeps the focus while it is open and gives it back', async ({ page, url }) => {
  await page.goto(`${url}${A}/streams/FUEL_CARDS`);
  const inside = () => page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null);
  const terraform = page.getByRole('button', { name: 'Copy stream FUEL_CARDS as Terraform' });
  await terraform.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog')).toBeVisible();
  await expect.poll(inside).toBe(true);
  for (let i = 0; i < 8; i++) {
    await page.keyboard.press('Tab');
    expect(await inside()).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(terraform).toBeFocused();
});

test('dark is kept over a reload and needs no injected style', async ({ page, url }) => {
  const answer = await page.goto(`${url}${A}`);
  expect(answer?.headers()['content-security-policy']).toBe(CONTENT_SECURITY_POLICY);
  await page.getByRole('button', { name: /Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark');
  await expect(page.getByRole('link', { name: 'ORDERS', exact: true })).toBeVisible();
  expect(await page.locator('style').count()).toBe(0);
});

test('old values stay and are marked when the broker gives no answer', async ({ page, api, url }) => {
  await page.goto(`${url}${A}/streams`);
  await expect(page.getByRole('link', { name: 'ORDERS', exact: true })).toBeVisible();
  api.faults.push({ method: 'GET', path: /streams$/, status: 504, code: 'broker_timeout', detail: 'The broker gave no answer in 5 s.' });
  await expect(page.getByText('Live values stopped at')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByRole('link', { name: 'ORDERS', exact: true })).toBeVisible();
  api.faults = [];
  await page.getByRole('button', { name: 'Try now' }).click();
  await expect(page.getByText('Live values stopped at')).toBeHidden();
});

test('browsing messages makes no consumer and changes nothing', async ({ page, api, url }) => {
  await page.goto(`${url}${A}/streams/ORDERS`);
  await expect(page.getByRole('region', { name: 'Payload as JSON' })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.getByRole('button', { name: 'First', exact: true }).click();
  await expect(page.getByRole('button', { name: /Show message 49621229/ })).toBeVisible();
  await page.getByRole('button', { name: 'Hex' }).click();
  await expect(page.getByRole('region', { name: 'Payload as Hex' })).toContainText('000000  7b');
  expect(api.calls.filter((call) => !call.startsWith('GET'))).toEqual([]);
});
