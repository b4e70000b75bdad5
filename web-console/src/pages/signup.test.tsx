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

it('blocks a short password and says why, before anything is sent', async () => {
  const { api, user } = renderApp('/verify?token=token-from-the-mail-0001', signedOut());
  await user.type(await screen.findByLabelText('Password'), 'short');
  await user.tab();
  expect((await screen.findAllByText(/5 characters so far; 12 is the least/)).length).toBeGreaterThan(0);
  await user.click(screen.getByRole('button', { name: 'Confirm my address' }));
  expect(api.calls).toEqual([]);
});

it('goes on to the code, says what a wrong one means, and keeps address and sign-up out of the URL', async () => {
  const { api, router, user } = renderApp('/signup', signedOut());
  await user.type(await screen.findByLabelText('Work e-mail'), 'ines@meridian-freight.example');
  await user.click(screen.getByRole('button', { name: 'Create account' }));
  await user.type(await screen.findByLabelText('Six-digit code'), '1 2 3 4 5 6');
  await user.type(screen.getByLabelText('Password'), 'correct horse battery');
  await user.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText(/The code does not match/)).toBeTruthy();
  expect(router.state.location.href).toBe('/verify');
  expect(api.calls.at(-1)).toMatch(/^POST \/v1\/signup\/sup_\w+\/verify$/);
});

it('takes the token of the mail’s link out of the address and confirms only on a press', async () => {
  const { api, router, user } = renderApp('/verify?token=token-from-the-mail-0001', signedOut());
  expect(await screen.findByRole('button', { name: 'Confirm my address' })).toBeTruthy();
  await expect.poll(() => router.state.location.href).toBe('/verify');
  expect(api.calls).toEqual([]);
  await user.type(screen.getByLabelText('Password'), 'correct horse battery');
  await user.click(screen.getByRole('button', { name: 'Confirm my address' }));
  expect(await screen.findByText(/This link has been used or has ended/)).toBeTruthy();
  expect(api.calls).toEqual(['POST /v1/signup/verify-link']);
});

it('asks for a new password and says the same for every address', async () => {
  const { api, user } = renderApp('/forgot-password', signedOut());
  await user.type(await screen.findByLabelText('E-mail'), 'ines@meridian-freight.example');
  await user.click(screen.getByRole('button', { name: 'Send the link' }));
  expect(await screen.findByRole('heading', { name: 'Look into your mail' })).toBeTruthy();
  expect(api.calls).toEqual(['POST /v1/password-reset']);
});

it('takes the token of the reset link out of the address and sends it with the new password', async () => {
  const { api, router, user } = renderApp('/reset-password#token=token-from-the-mail-0002', signedOut());
  await user.type(await screen.findByLabelText('New password'), 'correct horse battery');
  await expect.poll(() => router.state.location.href).toBe('/reset-password');
  await user.click(screen.getByRole('button', { name: 'Set the password' }));
  expect(await screen.findByText(/The link was used/)).toBeTruthy();
  expect(api.calls).toEqual(['POST /v1/password-reset/confirm']);
});
