import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { freightState } from '../../../testing/freight';
import { renderApp } from '../../../testing/render-app';
import { IDS } from '../../../testing/seed';

const A = `/accounts/${IDS.account}/service-accounts`;
const SECRET = /pst_sat_7Wz2TESTING/;

async function createToken() {
  const app = renderApp(A, freightState());
  await app.user.click(await screen.findByRole('button', { name: 'ci' }));
  await app.user.click(await screen.findByRole('button', { name: 'Create token' }));
  const dialog = await screen.findByRole('dialog', { name: /Create token of/ });
  await app.user.type(within(dialog).getByLabelText('Name'), 'release');
  await app.user.click(within(dialog).getByLabelText('Streams, write'));
  await app.user.type(within(dialog).getByLabelText(/Only from addresses/), '198.51.100.0/24,');
  await app.user.click(within(dialog).getByRole('button', { name: 'Create token' }));
  return { ...app, ready: await screen.findByRole('dialog', { name: /is ready/ }) };
}

it('shows the secret only when asked, closes only once it is stored, and keeps no trace', async () => {
  const { user, ready, state, router } = await createToken();
  expect(state.access.tokens.find((token) => token.name === 'release')).toMatchObject({ scopes: ['streams:write'], cidrs: ['198.51.100.0/24'] });
  expect(document.body.textContent).not.toMatch(SECRET);
  await user.click(within(ready).getByRole('button', { name: 'Show' }));
  expect(ready.textContent).toMatch(SECRET);
  await user.click(within(ready).getByRole('button', { name: 'Close, asks first' }));
  expect(within(ready).getByText(/closing throws the token away/)).toBeTruthy();
  await user.click(within(ready).getByLabelText('I have stored it'));
  await user.click(within(ready).getByRole('button', { name: 'Done' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(document.body.textContent).not.toMatch(SECRET);
  expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }, router.state.location.href, router.history.location.state])).not.toMatch(SECRET);
});

it('refuses a token without a right and an address that is none', async () => {
  const { user, api } = renderApp(A, freightState());
  await user.click(await screen.findByRole('button', { name: 'ci' }));
  await user.click(await screen.findByRole('button', { name: 'Create token' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Name'), 'release');
  await user.type(within(dialog).getByLabelText(/Only from addresses/), '300.1.1.1/40,');
  await user.click(within(dialog).getByRole('button', { name: 'Create token' }));
  expect(within(dialog).getByText(/tick at least one/)).toBeTruthy();
  expect(within(dialog).getByText(/300.1.1.1\/40 is not a range/)).toBeTruthy();
  expect(api.calls.some((call) => call.startsWith('POST'))).toBe(false);
});

it('rotates with an overlap and shows the new secret once', async () => {
  const { state, user } = renderApp(A, freightState());
  await user.click(await screen.findByRole('button', { name: 'ci' }));
  await user.click(await screen.findByRole('button', { name: 'Rotate deploy' }));
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Rotate token' }));
  expect(await screen.findByRole('dialog', { name: /is ready/ })).toBeTruthy();
  expect(state.access.tokens.find((token) => token.name === 'deploy')?.previous_valid_until).not.toBeNull();
});

it('revokes a token after its name is typed', async () => {
  const { state, user } = renderApp(`${A}?tab=personal`, freightState());
  await user.click(await screen.findByRole('button', { name: 'Revoke laptop' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText(/to go on/), 'laptop');
  await user.click(within(dialog).getByRole('button', { name: 'Revoke token' }));
  await expect.poll(() => state.access.tokens.find((token) => token.name === 'laptop')?.state).toBe('revoked');
});

it('shows the Terraform of a token without its secret', async () => {
  const { user } = renderApp(A, freightState());
  await user.click(await screen.findByRole('button', { name: 'ci' }));
  await user.click(await screen.findByRole('button', { name: 'Copy token deploy as Terraform' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog.textContent).toContain('resource "penstock_api_token" "deploy"');
  expect(dialog.textContent).toContain('terraform import penstock_api_token.deploy tok_');
  expect(dialog.textContent).not.toContain('pst_');
});
