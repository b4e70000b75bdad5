import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { freightState } from '../../../testing/freight';
import { renderApp } from '../../../testing/render-app';
import { IDS } from '../../../testing/seed';
import { endingOf } from './EntryHistory';

const A = `/accounts/${IDS.account}`;

it('creates the bucket that the form shows', async () => {
  const { state, router, user } = renderApp(`${A}/kv/~new`);
  await user.type(await screen.findByLabelText('Name'), 'flags');
  const history = screen.getByLabelText('Values of each key');
  await user.clear(history);
  await user.type(history, '5');
  await user.click(screen.getByRole('tab', { name: 'Terraform' }));
  expect(screen.getByRole('region', { name: /Terraform/ }).textContent).toContain('resource "penstock_kv_bucket" "flags"');
  await user.click(screen.getByRole('button', { name: 'Create KV bucket' }));
  await expect.poll(() => router.state.location.pathname).toBe(`${A}/kv/flags`);
  expect(state.access.kv.get('flags')?.bucket).toMatchObject({ history: 5, ttl: '0s', max_bytes: -1 });
});

it('browses keys, and saves a value from the revision that was seen', async () => {
  const { state, user } = renderApp(`${A}/kv/settings`, freightState());
  await user.click(await screen.findByRole('button', { name: 'limits.daily' }));
  const viewer = await screen.findByRole('region', { name: 'Key limits.daily' });
  await user.click(within(viewer).getByRole('button', { name: 'Edit' }));
  const value = within(viewer).getByLabelText(/^Value/);
  await user.clear(value);
  await user.type(value, '30000');
  await user.click(within(viewer).getByRole('button', { name: 'Save value' }));
  await expect.poll(() => state.access.kv.get('settings')?.entries.get('limits.daily')?.value).toBe('30000');
});

it('overwrites nothing that somebody else wrote meanwhile', async () => {
  const { state, user } = renderApp(`${A}/kv/settings?key=limits.daily`, freightState());
  const viewer = await screen.findByRole('region', { name: 'Key limits.daily' });
  await user.click(within(viewer).getByRole('button', { name: 'Edit' }));
  const value = within(viewer).getByLabelText(/^Value/);
  await user.clear(value);
  await user.type(value, '30000');
  const held = state.access.kv.get('settings')?.entries.get('limits.daily');
  if (!held) throw new Error('the seed has limits.daily');
  Object.assign(held, { value: '27000', revision: 99 });
  await user.click(within(viewer).getByRole('button', { name: 'Save value' }));
  expect(await within(viewer).findByText(/Somebody wrote revision 99/)).toBeTruthy();
  expect(within(viewer).getByRole('region', { name: 'Their value' }).textContent).toBe('27000');
  expect(held.value).toBe('27000');
  await user.click(within(viewer).getByRole('button', { name: 'Save mine over theirs' }));
  await expect.poll(() => state.access.kv.get('settings')?.entries.get('limits.daily')?.value).toBe('30000');
});

it('puts a new key only where none is', async () => {
  const { state, user } = renderApp(`${A}/kv/settings`, freightState());
  await user.click(await screen.findByRole('button', { name: 'Put key' }));
  const dialog = await screen.findByRole('dialog');
  await screen.findAllByText('limits.daily');
  await user.type(within(dialog).getByLabelText('Key'), 'limits.daily');
  expect(within(dialog).getByText(/has a value already/)).toBeTruthy();
  await user.clear(within(dialog).getByLabelText('Key'));
  await user.type(within(dialog).getByLabelText('Key'), 'limits.weekly');
  await user.type(within(dialog).getByLabelText(/^Value/), '90000');
  await user.click(within(dialog).getByRole('button', { name: 'Put key' }));
  await expect.poll(() => state.access.kv.get('settings')?.entries.get('limits.weekly')?.value).toBe('90000');
});

it('edits a bucket in place, with fixed fields locked', async () => {
  const { state, router, user } = renderApp(`${A}/kv/settings/edit`, freightState());
  const history = await screen.findByLabelText('Values of each key');
  expect(screen.getByLabelText<HTMLInputElement>('Medium').readOnly).toBe(true);
  await user.clear(history);
  await user.type(history, '20');
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await expect.poll(() => router.state.location.pathname).toBe(`${A}/kv/settings`);
  expect(state.access.kv.get('settings')?.bucket).toMatchObject({ history: 20, num_replicas: 3 });
});

it('lists objects with their size and deletes one after its name is typed', async () => {
  const { state, user } = renderApp(`${A}/objects/labels`, freightState());
  await user.click(await screen.findByRole('button', { name: 'Delete templates/pallet.svg' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('1.2 MB');
  await user.type(within(dialog).getByLabelText(/to go on/), 'templates/pallet.svg');
  await user.click(within(dialog).getByRole('button', { name: 'Delete object' }));
  await expect.poll(() => state.access.objects.get('labels')?.items.length).toBe(2);
});

it('shows the values a key had before, newest first', async () => {
  const { user } = renderApp(`${A}/kv/settings?key=limits.monthly`, freightState());
  const viewer = await screen.findByRole('region', { name: 'Key limits.monthly' });
  const history = await within(viewer).findByRole('table', { name: /History of limits.monthly/ });
  const revisions = () => within(history).getAllByRole('row').slice(1).map((row) => row.firstChild?.textContent);
  expect(revisions()).toEqual(['27', '26', '25']);
  await user.click(within(viewer).getByRole('button', { name: 'Edit' }));
  const value = within(viewer).getByLabelText(/^Value/);
  await user.clear(value);
  await user.type(value, '500000');
  await user.click(within(viewer).getByRole('button', { name: 'Save value' }));
  await expect.poll(revisions).toEqual(['51', '27', '26', '25']);
});

it('tells a deletion from a value', () => {
  expect(endingOf({ headers: {} })).toBeNull();
  expect(endingOf({ headers: { 'KV-Operation': ['DEL'] } })).toBe('deleted');
  expect(endingOf({ headers: { 'KV-Operation': ['PURGE'] } })).toBe('purged');
  expect(endingOf({ headers: { 'Nats-Marker-Reason': ['MaxAge'] } })).toBe('ended by its age');
});
