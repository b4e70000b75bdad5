import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { freightState } from '../../../testing/freight';
import { renderApp } from '../../../testing/render-app';
import { IDS } from '../../../testing/seed';

const A = `/accounts/${IDS.account}`;

it('shows nodes by zone and the groups without a spare replica first', async () => {
  const { user } = renderApp(`${A}/cluster`, freightState());
  expect(await screen.findByText(/No replica to spare for 1 stream/)).toBeTruthy();
  const table = screen.getByRole('table', { name: 'Groups' });
  expect(within(table).getAllByRole('row')[1]?.textContent).toContain('CUSTOMS_DECL');
  await user.click(screen.getByRole('button', { name: 'No spare 1' }));
  expect(within(screen.getByRole('table', { name: 'Groups' })).getAllByRole('row')).toHaveLength(2);
  expect(screen.getByText('eu-b-1').closest('li')?.textContent).toContain('behind');
});

it('says what a lost quorum means, on the cluster page and on the stream', async () => {
  const state = freightState();
  const orders = state.streams.get('ORDERS');
  if (!orders) throw new Error('the seed has ORDERS');
  orders.stream.cluster = { name: 'eu-central-1', leader: null, raft_group: 'pg-09', replicas: [{ name: 'eu-a-1', current: true, offline: false }, { name: 'eu-b-1', current: false, offline: true }, { name: 'eu-c-1', current: false, offline: true }] };
  const { router } = renderApp(`${A}/cluster`, state);
  expect(await screen.findByText(/1 stream cannot be written/)).toBeTruthy();
  await router.navigate({ to: '/accounts/$account/streams/$stream', params: { account: IDS.account, stream: 'ORDERS' } });
  expect(await screen.findByText(/Writing to ORDERS is refused/)).toBeTruthy();
  expect(within(screen.getByRole('list', { name: 'Replicas' })).getAllByText('Gone')).toHaveLength(2);
});

it('shows leader, zones and margin on the stream page', async () => {
  renderApp(`${A}/streams/ORDERS`, freightState());
  const replicas = await screen.findByRole('list', { name: 'Replicas' });
  expect(within(replicas).getByText('eu-a-1').closest('li')?.textContent).toContain('Leader');
  expect(await within(replicas).findByText('c')).toBeTruthy();
  expect(screen.getByText('One to spare')).toBeTruthy();
});

it('shows an account without streams nothing of the cluster', async () => {
  renderApp(`${A}/cluster`);
  expect(await screen.findByText('No stream, so no node to show')).toBeTruthy();
});
