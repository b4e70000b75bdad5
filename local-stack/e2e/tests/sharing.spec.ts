import { confirmByName, expect, listen, test } from '../support/tenants.ts';

test.describe.configure({ mode: 'serial' });

test('what is exported to one account arrives there and nowhere else', async ({ owner, guest, stranger }) => {
  const { public_key: guestKey } = await guest.call<{ public_key: string }>('GET', `/accounts/${guest.account}`);

  const page = await owner.goto('/sharing');
  await page.getByRole('button', { name: 'Create export' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('order-events');
  await form.getByRole('textbox', { name: 'Subject', exact: true }).fill('shared.eu.>');
  await form.getByRole('button', { name: 'Create export' }).click();
  await page.getByRole('button', { name: 'order-events' }).click();
  await page.getByRole('button', { name: 'Share with an account' }).click();
  const offer = page.getByRole('dialog');
  await offer.getByRole('radio', { name: /another organisation/ }).click();
  await offer.getByLabel('Public key of the account').fill(guestKey);
  await offer.getByRole('button', { name: 'Share with account' }).click();
  await expect(page.getByText('waits for the other account')).toBeVisible();

  const theirs = await guest.goto('/sharing?tab=offers');
  await theirs.getByRole('button', { name: 'Accept order-events' }).click();
  const importing = theirs.getByRole('dialog');
  await expect(importing.getByLabel('Subject there')).toHaveValue('shared.eu.>');
  await importing.getByLabel(/Subject here/).fill('from.owner.>');
  await importing.getByRole('button', { name: 'Create import' }).click();
  await expect(importing).toBeHidden();
  await theirs.getByRole('tab', { name: /Imports/ }).click();
  await expect(theirs.getByRole('row', { name: /order-events/ })).toContainText('works');
  await expect(page.getByText('accepted', { exact: true })).toBeVisible();

  const clients = await Promise.all([owner.connect(), guest.connect(), stranger.connect()]);
  const [from, to, other] = clients;
  const arrived = await listen(to, 'from.owner.>');
  const elsewhere = await listen(other, '>');
  await expect
    .poll(async () => {
      from.publish('shared.eu.paid', 'order 7');
      await from.flush();
      return arrived.length;
    })
    .toBeGreaterThan(0);
  expect(arrived[0]).toBe('from.owner.paid order 7');
  other.publish('of.my.own', 'hello');
  await expect.poll(() => elsewhere).toEqual(['of.my.own hello']);
  await Promise.all(clients.map((client) => client.close()));
  const none = await stranger.goto('/sharing?tab=offers');
  await expect(none.getByText('Nothing is offered to this account')).toBeVisible();
});

test('a share that is revoked stops the import', async ({ owner, guest }) => {
  const { public_key: guestKey } = await guest.call<{ public_key: string }>('GET', `/accounts/${guest.account}`);
  const page = await owner.goto('/sharing');
  await page.getByRole('button', { name: 'order-events' }).click();
  const revoke = page.getByRole('button', { name: /Revoke share with/ });
  const name = (await revoke.getAttribute('aria-label'))?.replace('Revoke share with ', '') ?? '';
  expect(guestKey.startsWith(name.split('…')[0] ?? '-')).toBe(true);
  await revoke.click();
  await confirmByName(page, 'Revoke share with', name);
  const theirs = await guest.goto('/sharing?tab=imports');
  await expect(theirs.getByRole('row', { name: /order-events/ })).toContainText('share revoked');

  const [from, to] = await Promise.all([owner.connect(), guest.connect()]);
  const arrived = await listen(to, '>');
  let round = 0;
  // Each round ends with a message of the importer's own, so that what could have come before it has come.
  await expect
    .poll(async () => {
      arrived.length = 0;
      from.publish('shared.eu.paid', 'order 8');
      await from.flush();
      to.publish('end', String(++round));
      await expect.poll(() => arrived).toContain(`end ${round}`);
      return arrived;
    })
    .toEqual([expect.stringMatching(/^end \d+$/)]);
  await Promise.all([from.close(), to.close()]);
});
