import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderApp } from '../../../testing/render-app';
import { IDS } from '../../../testing/seed';

const A = `/accounts/${IDS.account}`;
const SEED = /SUATESTING/;

async function create(kind: 'generated' | 'own') {
  const app = renderApp(`${A}/credentials?create=true`);
  const dialog = await screen.findByRole('dialog');
  await app.user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'first-app');
  if (kind === 'own') {
    await app.user.click(within(dialog).getByRole('radio', { name: /I have a key/ }));
    await app.user.type(within(dialog).getByLabelText('Public user nkey'), 'UDTHQKLEKOL4GE5N2CABHOESIXQ6JPWWNRBQGKQJLSIJSYBRNWCCNTWP');
  }
  await app.user.click(within(dialog).getByRole('button', { name: 'Create credential' }));
  return { ...app, ready: await screen.findByRole('dialog', { name: /is ready/ }) };
}

it('shows the seed only when asked, and closes only once it is stored', async () => {
  const { user, ready } = await create('generated');
  expect(document.body.textContent).not.toMatch(SEED);
  await user.click(within(ready).getByRole('button', { name: 'Show' }));
  expect(ready.textContent).toMatch(SEED);
  await user.click(within(ready).getByRole('button', { name: 'Close, asks first' }));
  expect(within(ready).getByText(/closing throws the seed away/)).toBeTruthy();
  await user.click(within(ready).getByLabelText('I have stored it'));
  await user.click(within(ready).getByRole('button', { name: 'Done' }));
  await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
  expect(document.body.textContent).not.toMatch(SEED);
  expect(await screen.findByRole('button', { name: 'first-app' })).toBeTruthy();
});

it('leaves no trace of the seed in storage, address or history', async () => {
  const { router } = await create('generated');
  const kept = JSON.stringify([{ ...localStorage }, { ...sessionStorage }, router.state.location.href, router.history.location.state]);
  expect(kept).not.toMatch(SEED);
});

it('gives only a JWT for a key of one’s own', async () => {
  const { ready, state } = await create('own');
  expect(within(ready).queryByLabelText('I have stored it')).toBeNull();
  expect(within(ready).getByText('first-app.jwt')).toBeTruthy();
  expect(state.issuances[0]?.user_public_key).toMatch(/^UDTHQ/);
});

it('does not take a seed in the field of the public key', async () => {
  const { user, api } = renderApp(`${A}/credentials?create=true`);
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('radio', { name: /I have a key/ }));
  const field = within(dialog).getByLabelText<HTMLInputElement>('Public user nkey');
  await user.click(field);
  await user.paste('SUAMLK2ZNL35WSMW37E7UD4VZ7ELPKW7DHC3BWBSD2GCZ7IUQQXZIORRBU');
  expect(field.value).toBe('');
  expect(within(dialog).getByText(/That was a seed/)).toBeTruthy();
  expect(api.calls.some((call) => call.startsWith('POST'))).toBe(false);
});
