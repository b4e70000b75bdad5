import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { freightState } from '../../../testing/freight';
import { renderApp } from '../../../testing/render-app';
import { IDS } from '../../../testing/seed';

const A = `/accounts/${IDS.account}`;

it('creates the stream that the form shows, with one idempotency key', async () => {
  const { state, router, user } = renderApp(`${A}/streams/~new`);
  await user.type(await screen.findByLabelText('Name'), 'ORDERS');
  await user.type(screen.getByLabelText('Subjects'), 'orders.>,');
  await user.type(screen.getByLabelText('Oldest'), '7');
  await user.click(screen.getByRole('radio', { name: 'Refuse new ones' }));
  await user.click(screen.getByRole('button', { name: 'Create stream' }));
  await expect.poll(() => router.state.location.pathname).toBe(`${A}/streams/ORDERS`);
  expect(state.streams.get('ORDERS')?.stream).toMatchObject({ subjects: ['orders.>'], max_age: '168h', discard: 'new', storage: 'file' });
});

it('names the stream whose subjects overlap and mends it on a press', async () => {
  const { user } = renderApp(`${A}/streams/~new`, freightState());
  const input = await screen.findByLabelText('Subjects');
  await screen.findByText('15');
  await user.type(input, 'customs.decl.eu,');
  expect(await screen.findByRole('link', { name: 'CUSTOMS_DECL' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Remove it here' }));
  expect(screen.queryByRole('link', { name: 'CUSTOMS_DECL' })).toBeNull();
});

it('turns a 412 into a choice and adds only my field to theirs', async () => {
  const state = freightState();
  const { router, user } = renderApp(`${A}/streams/ORDERS/edit`, state);
  const size = await screen.findByLabelText('Size');
  await user.clear(size);
  await user.type(size, '25');
  const oldest = screen.getByLabelText('Oldest');
  await user.clear(oldest);
  await user.type(oldest, '14');
  const entry = state.streams.get('ORDERS');
  if (!entry) throw new Error('the seed has ORDERS');
  entry.stream.max_bytes = 30_000_000_000;
  entry.version += 1;
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  await user.click(await screen.findByRole('button', { name: 'Keep theirs, add my max_age' }));
  await expect.poll(() => router.state.location.pathname).toBe(`${A}/streams/ORDERS`);
  expect(entry.stream).toMatchObject({ max_bytes: 30_000_000_000, max_age: '336h' });
});

it('says what failed with code and request id, and reads again on a press', async () => {
  const state = freightState();
  const { api, user } = renderApp(`${A}/streams`, state);
  api.faults.push({ method: 'GET', path: /streams$/, status: 422, code: 'broker_rejected', detail: 'The broker said no.' });
  expect(await screen.findByText('Streams could not be read')).toBeTruthy();
  expect(screen.getByText('broker_rejected')).toBeTruthy();
  expect(screen.getByText(/^req_/)).toBeTruthy();
  api.faults = [];
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('link', { name: 'ORDERS' })).toBeTruthy();
});

it('keeps a filter that matches nothing in sight, with the closest name', async () => {
  renderApp(`${A}/streams?q=ordr`, freightState());
  expect(await screen.findByText('No stream matches')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'ORDERS' })).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Remove filter name or subject' })).toBeTruthy();
});

it('deletes only after the name is typed', async () => {
  const state = freightState();
  const { user } = renderApp(`${A}/streams/FUEL_CARDS`, state);
  await user.click(await screen.findByRole('button', { name: /More actions/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete stream' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Delete stream' }));
  expect(state.streams.has('FUEL_CARDS')).toBe(true);
  await user.type(within(dialog).getByLabelText(/to go on/), 'FUEL_CARDS');
  await user.click(within(dialog).getByRole('button', { name: 'Delete stream' }));
  await expect.poll(() => state.streams.has('FUEL_CARDS')).toBe(false);
  expect(await screen.findByText('Stream FUEL_CARDS deleted.')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  await expect.poll(() => state.streams.has('FUEL_CARDS')).toBe(true);
});

it('says why a protected stream is not deleted', async () => {
  const state = freightState();
  const entry = state.streams.get('FUEL_CARDS');
  if (entry) entry.stream.deletion_protection = true;
  const { user } = renderApp(`${A}/streams/FUEL_CARDS`, state);
  await user.click(await screen.findByRole('button', { name: /More actions/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Delete stream' }));
  expect(await screen.findByText(/FUEL_CARDS is protected from deletion/)).toBeTruthy();
});

it('asks for the typed name before a change that cannot be taken back', async () => {
  const state = freightState();
  const { router, user } = renderApp(`${A}/streams/ORDERS/edit`, state);
  await user.click(await screen.findByLabelText(/^Seal/));
  await user.click(screen.getByRole('button', { name: 'Save changes' }));
  const dialog = await screen.findByRole('dialog', { name: /Save for good/ });
  expect(state.streams.get('ORDERS')?.stream.sealed).toBe(false);
  await user.type(within(dialog).getByLabelText(/to go on/), 'ORDERS');
  await user.click(within(dialog).getByRole('button', { name: 'Save for good' }));
  await expect.poll(() => router.state.location.pathname).toBe(`${A}/streams/ORDERS`);
  expect(state.streams.get('ORDERS')?.stream.sealed).toBe(true);
});

it('shows a message with its headers and its payload as JSON', async () => {
  renderApp(`${A}/streams/ORDERS`, freightState());
  const viewer = await screen.findByRole('region', { name: /^Message/ });
  expect(within(viewer).getByText('Nats-Msg-Id')).toBeTruthy();
  expect(within(viewer).getByRole('region', { name: 'Payload as JSON' }).textContent).toContain('"sku"');
});

it('keeps what the role does not include in its place and says which right is missing', async () => {
  const state = freightState();
  state.access.permissions = ['streams:read', 'consumers:read', 'messages:read'];
  renderApp(`${A}/streams/ORDERS`, state);
  const edit = await screen.findByRole('button', { name: 'Edit' });
  expect(edit.getAttribute('aria-disabled')).toBe('true');
  edit.focus();
  expect((await screen.findByRole('tooltip')).textContent).toContain('streams:write');
  expect(screen.getByRole('button', { name: /More actions/ }).getAttribute('aria-disabled')).toBe('true');
});
