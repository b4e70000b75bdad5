import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { freightState } from '../../../testing/freight';
import { renderApp } from '../../../testing/render-app';
import { IDS } from '../../../testing/seed';
import { limitProblem } from '../../lib/limits-model';

const A = `/accounts/${IDS.account}`;

it('refuses a limit below what is in use before it is sent, in the broker’s words', async () => {
  const { state, user, api } = renderApp(`${A}/settings`, freightState());
  await user.click(await screen.findByRole('button', { name: 'Change limits' }));
  const dialog = await screen.findByRole('dialog');
  const streams = within(dialog).getByLabelText('Streams');
  await user.clear(streams);
  await user.type(streams, '3');
  expect(await within(dialog).findByText(/15 streams are in use/)).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Change limits' }));
  expect(api.calls.filter((call) => call.startsWith('PATCH')).every((call) => call.includes('dry_run=true'))).toBe(true);
  await user.clear(streams);
  await user.type(streams, '40');
  await user.click(within(dialog).getByRole('button', { name: 'Change limits' }));
  await expect.poll(() => (state.access.account.limits.jetstream as { streams?: number } | undefined)?.streams).toBe(40);
});

it('keeps the account while it is protected, deletes it with its counts, and restores it', async () => {
  const { state, user } = renderApp(`${A}/settings`, freightState());
  const remove = await screen.findByRole('button', { name: 'Delete account' });
  expect(remove.getAttribute('aria-disabled')).toBe('true');
  await user.click(screen.getByLabelText(/Protect from deletion/));
  await expect.poll(() => state.access.account.deletion_protection).toBe(false);
  await expect.poll(() => screen.getByRole('button', { name: 'Delete account' }).getAttribute('aria-disabled')).toBe(null);
  await user.click(screen.getByRole('button', { name: 'Delete account' }));
  const dialog = await screen.findByRole('dialog');
  expect(await within(dialog).findByText('Connections that are closed')).toBeTruthy();
  await user.type(within(dialog).getByLabelText(/to go on/), 'freight-prod');
  await user.click(within(dialog).getByRole('button', { name: 'Delete account' }));
  await user.click(await screen.findByRole('button', { name: 'Restore account' }));
  await expect.poll(() => state.access.account.state).toBe('active');
});

it('tries a subject on the mappings', async () => {
  const { user } = renderApp(`${A}/settings`, freightState());
  await user.type(await screen.findByLabelText(/Try a subject/), 'eta.request.7');
  expect(screen.getByText('eta.v2.7')).toBeTruthy();
});

it('shows the whole account as one configuration whose parts refer to each other', async () => {
  const { user } = renderApp(`${A}/settings`, freightState());
  await user.click(await screen.findByRole('button', { name: 'All of it as Terraform' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toMatch(/account += penstock_account\.freight-prod\.id/);
  expect(dialog.textContent).toContain('resource "penstock_kv_bucket" "settings"');
  expect(dialog.textContent).toContain('to = penstock_consumer.billing-worker');
});

it('restores a deleted stream from the list', async () => {
  const state = freightState();
  const entry = state.streams.get('QUOTES');
  if (!entry) throw new Error('the seed has QUOTES');
  state.streams.delete('QUOTES');
  state.deletedStreams.set('QUOTES', { entry, at: state.now() });
  const { user } = renderApp(`${A}/settings`, state);
  await user.click(await screen.findByRole('button', { name: 'Restore QUOTES' }));
  await expect.poll(() => state.streams.has('QUOTES')).toBe(true);
});

it('accepts an invitation whose token is in no address afterwards', async () => {
  window.history.replaceState(null, '', '/invitation#token=a-token-from-the-mail');
  const { api } = renderApp('/invitation', freightState());
  expect(await screen.findByRole('heading', { name: 'Join Meridian Freight' })).toBeTruthy();
  expect(window.location.hash).toBe('');
  expect(api.calls.some((call) => call.includes('a-token'))).toBe(false);
});

it('takes no limit that means the opposite to the broker', () => {
  const zero = { text: '0', unit: 'B' as const };
  expect(limitProblem(zero, { field: 'js.streams', size: false })).toContain('0 means no limit');
  expect(limitProblem(zero, { field: 'leaf_nodes', size: false })).toBeNull();
  expect(limitProblem({ text: '', unit: 'B' }, { field: 'js.streams', size: false })).toBeNull();
});
