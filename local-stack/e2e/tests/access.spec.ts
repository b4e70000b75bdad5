import { invitationTo } from '../support/mail.ts';
import { status } from '../support/stack.ts';
import { confirmByName, expect, test } from '../support/tenants.ts';

test.describe.configure({ mode: 'serial' });

test('a member is invited, joins, changes role and is removed', async ({ owner, guest }) => {
  const page = await owner.goto('/members');
  await page.getByRole('button', { name: 'Invite member' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('E-mail address').fill(guest.who.email);
  await dialog.getByRole('radio', { name: 'Viewer' }).click();
  await dialog.getByRole('button', { name: 'Invite member' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('tab', { name: /Invitations/ }).click();
  await expect(page.getByRole('row', { name: new RegExp(guest.who.email) })).toContainText('waits for an answer');

  const theirs = guest.page;
  await theirs.goto(await invitationTo(guest.who.email));
  await expect(theirs.getByRole('heading', { name: `Join ${owner.who.organisation}` })).toBeVisible();
  expect(theirs.url()).not.toContain('token');
  await theirs.getByRole('button', { name: /^Join/ }).click();
  await theirs.waitForURL(/\/accounts\/acct_/);
  await theirs.goto(owner.url('/streams'));
  await expect(theirs.getByRole('heading', { name: 'Streams', exact: true })).toBeVisible();
  await expect(theirs.getByRole('button', { name: 'Create stream' }).first()).toHaveAttribute('aria-disabled', 'true');

  await owner.goto('/members');
  await page.getByRole('button', { name: `Change role of ${guest.who.email}` }).click();
  await page.getByRole('dialog').getByRole('radio', { name: 'Developer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
  await expect(page.getByRole('row', { name: new RegExp(guest.who.email) })).toContainText('developer');
  await theirs.reload();
  await expect(theirs.getByRole('link', { name: 'Create stream' }).first()).toBeVisible();

  await page.getByRole('button', { name: `Remove ${guest.who.email}` }).click();
  await confirmByName(page, 'Remove member', guest.who.email);
  await expect(page.getByRole('row', { name: new RegExp(guest.who.email) })).toHaveCount(0);
  const refused = await theirs.request.get(`${status().api}/accounts/${owner.account}/streams`);
  expect(refused.status()).toBe(404);
});

test('a service account gets a token once, calls with it, and is refused once it is revoked', async ({ owner }) => {
  const page = await owner.goto('/service-accounts');
  await page.getByRole('button', { name: 'Create service account' }).first().click();
  await page.getByRole('dialog').getByLabel('Name').fill('ci');
  await page.getByRole('dialog').getByRole('button', { name: 'Create service account' }).click();
  await page.getByRole('button', { name: 'ci', exact: true }).click();
  await expect(page.getByText('It has no role yet')).toBeVisible();
  await page.getByRole('button', { name: 'Give role' }).click();
  await page.getByRole('dialog').getByRole('radio', { name: 'Viewer' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Give role' }).click();
  await expect(page.getByText('Roles: viewer everywhere.')).toBeVisible();

  await page.getByRole('button', { name: 'Create token' }).click();
  const form = page.getByRole('dialog', { name: /Create token of/ });
  await form.getByLabel('Name').fill('deploy');
  await form.getByRole('radio', { name: /Read all/ }).click();
  await form.getByRole('button', { name: 'Create token' }).click();
  const ready = page.getByRole('dialog', { name: /is ready/ });
  await ready.getByRole('button', { name: 'Show' }).click();
  const secret = (await ready.getByRole('region', { name: 'The token' }).innerText()).trim();
  expect(secret).toMatch(/^pst_sat_\w{32}_\w{6}$/);
  await ready.getByLabel('I have stored it').check();
  await ready.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('row', { name: /deploy/ })).toContainText('active');
  expect(await page.content()).not.toContain(secret);

  const call = () => fetch(`${status().api}/accounts/${owner.account}/streams`, { headers: { Authorization: `Bearer ${secret}` } });
  expect((await call()).status).toBe(200);
  const written = await fetch(`${status().api}/accounts/${owner.account}/streams`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'NOPE', subjects: ['nope'] }),
  });
  expect(written.status).toBe(403);

  await page.getByRole('button', { name: 'Revoke deploy' }).click();
  await confirmByName(page, 'Revoke token', 'deploy');
  const refused = await call();
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ code: 'token_revoked' });
});
