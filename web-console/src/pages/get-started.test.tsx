import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderApp } from '../../testing/render-app';
import { emptyState, IDS } from '../../testing/seed';

it('turns a step green by itself once the client has done it', async () => {
  const { state } = renderApp(`/accounts/${IDS.account}/get-started`);
  expect(await screen.findByText(/None of four done/)).toBeTruthy();
  state.connected = { at: new Date().toISOString(), lang: 'python3', version: '2.16.0', ip: '203.0.113.9', user: 'first-app' };
  expect(await screen.findByText(/One of four done/)).toBeTruthy();
  expect(screen.getByText(/first-app connected from 203.0.113.9/)).toBeTruthy();
});

it('waits for the account to be set up and then goes on to the checklist', async () => {
  const state = { ...emptyState(), bootstrap: 'running' as 'running' | 'ready' };
  const { router } = renderApp('/', state);
  expect(await screen.findByText('Setting up your account')).toBeTruthy();
  state.bootstrap = 'ready';
  await expect.poll(() => router.state.location.pathname).toBe(`/accounts/${IDS.account}/get-started`);
});
