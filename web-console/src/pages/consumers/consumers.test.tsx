import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { freightState } from '../../../testing/freight';
import { renderApp } from '../../../testing/render-app';
import { IDS } from '../../../testing/seed';

const CONSUMERS = `/accounts/${IDS.account}/streams/ORDERS/consumers`;

function consumerOf(state: ReturnType<typeof freightState>, name: string) {
  const consumer = state.streams.get('ORDERS')?.consumers.get(name);
  if (!consumer) throw new Error(`the seed has ${name}`);
  return consumer;
}

it('pauses until a time, says so, and takes it back on a press', async () => {
  const state = freightState();
  const { user } = renderApp(`${CONSUMERS}/fulfilment`, state);
  await user.click(await screen.findByRole('button', { name: 'Pause' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('radio', { name: '24 h' }));
  await user.click(within(dialog).getByRole('button', { name: 'Pause consumer' }));
  expect(await screen.findByText(/Consumer fulfilment paused until/)).toBeTruthy();
  const until = Date.parse(consumerOf(state, 'fulfilment').pause_until ?? '');
  expect(until - state.now()).toBeGreaterThan(23.9 * 3_600_000);
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await expect.poll(() => consumerOf(state, 'fulfilment').paused).toBe(false);
});

it('does not pause until a time that has passed', async () => {
  const { api, user } = renderApp(`${CONSUMERS}/fulfilment`, freightState());
  await user.click(await screen.findByRole('button', { name: 'Pause' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('radio', { name: 'Until' }));
  await user.type(within(dialog).getByLabelText('Time'), '2001-01-01T00:00:00Z');
  await user.click(within(dialog).getByRole('button', { name: 'Pause consumer' }));
  expect(within(dialog).getByText(/is not a time to come/)).toBeTruthy();
  expect(api.calls.some((call) => call.startsWith('POST'))).toBe(false);
});

it('resumes a paused consumer', async () => {
  const state = freightState();
  const { user } = renderApp(`${CONSUMERS}/nightly-export`, state);
  await user.click(await screen.findByRole('button', { name: 'Resume' }));
  await expect.poll(() => consumerOf(state, 'nightly-export').paused).toBe(false);
});

it('saves only the fields that were changed, and locks what the broker fixes', async () => {
  const state = freightState();
  const { router, user } = renderApp(`${CONSUMERS}/billing-worker/edit`, state);
  const most = await screen.findByLabelText('Out for ack at once');
  expect(screen.getByLabelText<HTMLInputElement>('A message is done when').readOnly).toBe(true);
  await user.clear(most);
  await user.type(most, '2500');
  expect(screen.getByText('1 field changed')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await expect.poll(() => router.state.location.pathname).toBe(`${CONSUMERS}/billing-worker`);
  expect(consumerOf(state, 'billing-worker')).toMatchObject({ max_ack_pending: 2500, ack_wait: '5m0s', max_deliver: 5 });
});

it('turns a 412 of a consumer into a choice', async () => {
  const state = freightState();
  const { user } = renderApp(`${CONSUMERS}/billing-worker/edit`, state);
  const tries = await screen.findByLabelText('Deliver at most');
  await user.clear(tries);
  await user.type(tries, '7');
  Object.assign(consumerOf(state, 'billing-worker'), { description: 'Changed by another', etag: '"v9"' });
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await user.click(await screen.findByRole('button', { name: 'Keep theirs, add my max_deliver' }));
  await expect.poll(() => consumerOf(state, 'billing-worker').max_deliver).toBe(7);
  expect(consumerOf(state, 'billing-worker').description).toBe('Changed by another');
});

it('deletes with the broker’s own counts before the name is typed', async () => {
  const state = freightState();
  const { api, user } = renderApp(`${CONSUMERS}/fraud-score`, state);
  await user.click(await screen.findByRole('button', { name: /More actions/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete consumer' }));
  const dialog = await screen.findByRole('dialog');
  await expect.poll(() => api.calls.some((call) => call.startsWith('DELETE') && call.includes('dry_run=true'))).toBe(true);
  expect(state.streams.get('ORDERS')?.consumers.has('fraud-score')).toBe(true);
  await user.type(within(dialog).getByLabelText(/to go on/), 'fraud-score');
  await user.click(within(dialog).getByRole('button', { name: 'Delete consumer' }));
  await expect.poll(() => state.streams.get('ORDERS')?.consumers.has('fraud-score')).toBe(false);
});
