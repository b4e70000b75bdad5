import { confirmByName, expect, test } from '../support/tenants.ts';

test.describe.configure({ mode: 'serial' });

/** Asks for messages on a subject in one account while another publishes until one came, or the time is over. */
async function crosses(publish: () => Promise<unknown>, wait: Promise<{ output: string }>): Promise<string> {
  let done = false;
  void wait.finally(() => (done = true));
  while (!done) await publish();
  return (await wait).output;
}

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

  const received = guest.nats('sub', 'from.owner.>', '--count', '1', '--wait', '30s', '--raw');
  const nothing = stranger.nats('sub', '>', '--count', '1', '--wait', '4s', '--raw');
  expect(await crosses(() => owner.must('pub', 'shared.eu.paid', 'order 7'), received)).toContain('order 7');
  await owner.must('pub', 'shared.eu.paid', 'order 8');
  expect((await nothing).output).not.toContain('order');
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
});
