import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { confirmByName, expect, test } from '../support/tenants.ts';

test.describe.configure({ mode: 'serial' });

test('a KV bucket: created, a key put, changed and read with its history, deleted', async ({ owner }) => {
  const page = await owner.goto('/kv/~new');
  await page.getByLabel('Name').fill('settings');
  await page.getByLabel('Values of each key').fill('5');
  await page.getByRole('button', { name: 'Create KV bucket' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'settings' })).toBeVisible();

  await page.getByRole('button', { name: 'Put key' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Key').fill('limits.daily');
  await form.getByLabel(/^Value/).fill('100');
  await form.getByRole('button', { name: 'Put key' }).click();
  const viewer = page.getByRole('region', { name: 'Key limits.daily' });
  await expect(viewer.getByRole('region', { name: 'Value of limits.daily' })).toHaveText('100');
  expect((await owner.must('kv', 'get', 'settings', 'limits.daily', '--raw')).trim()).toBe('100');

  await owner.must('kv', 'put', 'settings', 'limits.daily', '200');
  await expect(viewer.getByRole('region', { name: 'Value of limits.daily' })).toHaveText('200');
  await viewer.getByRole('button', { name: 'Edit' }).click();
  await viewer.getByLabel(/^Value/).fill('300');
  await viewer.getByRole('button', { name: 'Save value' }).click();
  await expect(viewer.getByRole('region', { name: 'Value of limits.daily' })).toHaveText('300');
  expect((await owner.must('kv', 'get', 'settings', 'limits.daily', '--raw')).trim()).toBe('300');
  const history = viewer.getByRole('table', { name: /History of limits.daily/ });
  await expect(history.locator('tbody tr td:last-child')).toHaveText(['300', '200', '100']);

  await viewer.getByRole('button', { name: 'Delete' }).click();
  await confirmByName(page, 'Delete key', 'limits.daily');
  await page.goto(`${owner.url('/kv/settings')}?key=limits.daily`);
  await expect(page.getByRole('heading', { name: /limits.daily has no value/ })).toBeVisible();
  await expect(page.getByRole('table', { name: /History of limits.daily/ }).locator('tbody tr td:last-child')).toHaveText(['deleted', '300', '200', '100']);
});

test('an object bucket: created, lists what the CLI put, deletes it, is deleted itself and restored', async ({ owner }) => {
  const page = await owner.goto('/objects/~new');
  await page.getByLabel('Name').fill('labels');
  await page.getByRole('button', { name: 'Create object bucket' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'labels' })).toBeVisible();
  await expect(page.getByText('No object yet')).toBeVisible();

  const file = join(tmpdir(), `penstock-label-${process.pid}.txt`);
  writeFileSync(file, 'a label\n'.repeat(1000));
  await owner.must('object', 'put', 'labels', file, '--name', 'pallet.txt', '--force', '--no-progress');
  await expect(page.getByRole('row', { name: /pallet.txt/ })).toContainText('8 KB');
  await page.getByRole('button', { name: 'Delete pallet.txt' }).click();
  await confirmByName(page, 'Delete object', 'pallet.txt');
  await expect(page.getByText('No object yet')).toBeVisible();

  await page.getByRole('button', { name: /More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Delete bucket' }).click();
  await confirmByName(page, 'Delete bucket', 'labels');
  await expect(page.getByText('No object bucket yet')).toBeVisible();
  await owner.goto('/settings');
  await page.getByRole('button', { name: 'Restore labels' }).click();
  await expect(page.getByText('labels restored.')).toBeVisible();
  expect(await owner.must('object', 'ls', '--names')).toContain('labels');
});
