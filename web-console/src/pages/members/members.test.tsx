import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { freightState } from '../../../testing/freight';
import { renderApp } from '../../../testing/render-app';
import { IDS } from '../../../testing/seed';

const A = `/accounts/${IDS.account}`;

it('invites with a role, and refuses an address that is a member already', async () => {
  const { state, user } = renderApp(`${A}/members`, freightState());
  await user.click(await screen.findByRole('button', { name: 'Invite member' }));
  const dialog = await screen.findByRole('dialog');
  const address = within(dialog).getByLabelText('E-mail address');
  await user.type(address, 'ruben@meridian-freight.example');
  expect(within(dialog).getByText(/is a member already/)).toBeTruthy();
  await user.clear(address);
  await user.type(address, 'noor@meridian-freight.example');
  await user.click(within(dialog).getByRole('radio', { name: 'Viewer' }));
  await user.click(within(dialog).getByRole('button', { name: 'Invite member' }));
  expect(await screen.findByText('Invitation sent to noor@meridian-freight.example.')).toBeTruthy();
  expect(state.access.invitations[0]).toMatchObject({ email: 'noor@meridian-freight.example', role: 'viewer' });
});

it('changes a role and removes a member after the typed address', async () => {
  const { state, user } = renderApp(`${A}/members`, freightState());
  await user.click(await screen.findByRole('button', { name: 'Change role of Salome Brandt' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('radio', { name: 'Admin' }));
  await user.click(within(dialog).getByRole('button', { name: 'Change role' }));
  await expect.poll(() => state.access.members.find((member) => member.name === 'Salome Brandt')?.role).toBe('admin');
  await user.click(await screen.findByRole('button', { name: 'Remove Salome Brandt' }));
  const removing = await screen.findByRole('dialog', { name: /Remove member/ });
  await user.type(within(removing).getByLabelText(/to go on/), 'salome@meridian-freight.example');
  await user.click(within(removing).getByRole('button', { name: 'Remove member' }));
  await expect.poll(() => state.access.members.some((member) => member.name === 'Salome Brandt')).toBe(false);
});

it('keeps the only owner, and says why', async () => {
  const { user, api } = renderApp(`${A}/members`, freightState());
  const leave = await screen.findByRole('button', { name: 'Leave Meridian Freight' });
  expect(leave.getAttribute('aria-disabled')).toBe('true');
  await user.click(leave);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(api.calls.some((call) => call.startsWith('DELETE'))).toBe(false);
});

it('blocks what the role does not include, and says which right is missing', async () => {
  const state = freightState();
  state.access.permissions = ['members:read', 'streams:read', 'accounts:read'];
  const { user } = renderApp(`${A}/members`, state);
  await screen.findByRole('button', { name: 'Invite member' });
  await expect.poll(() => screen.getByRole('button', { name: 'Invite member' }).getAttribute('aria-disabled')).toBe('true');
  await user.hover(screen.getByRole('button', { name: 'Invite member' }));
  expect(await screen.findByText(/does not include members:write/)).toBeTruthy();
});

it('revokes an invitation and sends it again', async () => {
  const { state, user } = renderApp(`${A}/members?tab=invitations`, freightState());
  await user.click(await screen.findByRole('button', { name: 'Revoke invitation to jonas@meridian-freight.example' }));
  await expect.poll(() => state.access.invitations.find((entry) => entry.email.startsWith('jonas'))?.state).toBe('revoked');
});

it('gives a service account a role in one project', async () => {
  const { state, user } = renderApp(`${A}/members?tab=roles`, freightState());
  await user.click(await screen.findByRole('button', { name: 'Give role' }));
  const dialog = await screen.findByRole('dialog');
  await within(dialog).findByRole('option', { name: 'grafana, service account' });
  await user.selectOptions(within(dialog).getByLabelText('To'), 'grafana, service account');
  await user.click(within(dialog).getByRole('radio', { name: 'Viewer' }));
  await user.selectOptions(within(dialog).getByLabelText('Where'), 'Project production');
  await user.click(within(dialog).getByRole('button', { name: 'Give role' }));
  await expect.poll(() => state.access.assignments.some((row) => row.principal.name === 'grafana' && row.role === 'viewer' && row.project_id === IDS.project)).toBe(true);
});
