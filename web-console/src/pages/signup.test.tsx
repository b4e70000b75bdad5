import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderApp } from '../../testing/render-app';
import { emptyState } from '../../testing/seed';

function signedOut() {
  return { ...emptyState(), session: false };
}

it('sends a visitor without a session to sign-up', async () => {
  renderApp('/', signedOut());
  expect(await screen.findByRole('heading', { name: 'A broker of your own in a minute' })).toBeTruthy();
});

it('refuses a short password before anything is sent', async () => {
  const { api, user } = renderApp('/signup', signedOut());
  await user.type(await screen.findByLabelText('Work e-mail'), 'ines@meridian-freight.example');
  await user.type(screen.getByLabelText('Password'), 'short');
  await user.click(screen.getByRole('button', { name: 'Create account' }));
  expect(await screen.findByText(/5 characters so far; 12 is the least/)).toBeTruthy();
  expect(api.calls.filter((call) => call.startsWith('POST'))).toEqual([]);
});

it('goes on to the code, says what a wrong one means, and keeps address and sign-up out of the URL', async () => {
  const { api, router, user } = renderApp('/signup', signedOut());
  await user.type(await screen.findByLabelText('Work e-mail'), 'ines@meridian-freight.example');
  await user.type(screen.getByLabelText('Password'), 'correct horse battery');
  await user.click(screen.getByRole('button', { name: 'Create account' }));
  await user.type(await screen.findByLabelText('Six-digit code'), '1 2 3 4 5 6');
  await user.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText(/The code does not match/)).toBeTruthy();
  expect(router.state.location.href).toBe('/verify');
  expect(api.calls.at(-1)).toMatch(/^POST \/v1\/signup\/sup_\w+\/verify$/);
});

it('takes the token of the mail’s link out of the address and confirms only on a press', async () => {
  const { api, router, user } = renderApp('/verify?token=token-from-the-mail-0001', signedOut());
  const button = await screen.findByRole('button', { name: 'Confirm my address' });
  await expect.poll(() => router.state.location.href).toBe('/verify');
  expect(api.calls).toEqual([]);
  await user.click(button);
  expect(await screen.findByText(/This link has been used or has ended/)).toBeTruthy();
  expect(api.calls).toEqual(['POST /v1/signup/verify-link']);
});
