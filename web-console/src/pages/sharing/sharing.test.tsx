import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { freightState } from '../../../testing/freight';
import { renderApp } from '../../../testing/render-app';
import { IDS } from '../../../testing/seed';

const A = `/accounts/${IDS.account}/sharing`;

it('creates an export and shares it with an account of the organisation', async () => {
  const { state, user } = renderApp(A, freightState());
  await user.click(await screen.findByRole('button', { name: 'Create export' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Name'), 'tracking');
  await user.type(within(dialog).getByLabelText('Subject'), 'track.>');
  await user.click(within(dialog).getByRole('button', { name: 'Create export' }));
  await user.click(await screen.findByRole('button', { name: 'tracking' }));
  await user.click(await screen.findByRole('button', { name: 'Share with an account' }));
  const offer = await screen.findByRole('dialog', { name: /Share tracking/ });
  await user.selectOptions(within(offer).getByLabelText('Account'), await within(offer).findByRole('option', { name: /analytics/ }));
  await user.click(within(offer).getByRole('button', { name: 'Share with account' }));
  const made = state.access.exports.find((entry) => entry.name === 'tracking');
  await expect.poll(() => state.access.shares.some((share) => share.export_id === made?.id && share.state === 'accepted')).toBe(true);
});

it('refuses a place in the subject that is no wildcard', async () => {
  const { user, api } = renderApp(A, freightState());
  await user.click(await screen.findByRole('button', { name: 'Create export' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Name'), 'tracking');
  await user.type(within(dialog).getByLabelText('Subject'), 'track.eu');
  await user.click(within(dialog).getByText('Account in the subject, latency, visibility'));
  await user.type(within(dialog).getByLabelText(/Place of the importer/), '2');
  expect(within(dialog).getByText(/Token 2 of track.eu is eu; it has to be \*/)).toBeTruthy();
  await user.click(within(dialog).getByRole('button', { name: 'Create export' }));
  expect(api.calls.some((call) => call.startsWith('POST'))).toBe(false);
});

it('shows how many importers a deletion hits before it is done', async () => {
  const { user } = renderApp(A, freightState());
  await user.click(await screen.findByRole('button', { name: 'order-events' }));
  await user.click(await screen.findByRole('button', { name: 'Delete export' }));
  expect(await screen.findByText('Imports that stop working')).toBeTruthy();
});

it('accepts an offer and goes on to its import', async () => {
  const { state, user } = renderApp(`${A}?tab=offers`, freightState());
  await user.click(await screen.findByRole('button', { name: 'Accept tolls' }));
  const dialog = await screen.findByRole('dialog', { name: /Import tolls/ });
  expect(within(dialog).getByLabelText<HTMLInputElement>('Subject there').value).toBe('tolls.eu.*');
  await user.click(within(dialog).getByRole('button', { name: 'Create import' }));
  await expect.poll(() => state.access.imports.some((entry) => entry.name === 'tolls' && entry.share_id === 'shr_offer')).toBe(true);
});
