import { confirmByName, expect, test } from '../support/tenants.ts';

test.describe.configure({ mode: 'serial' });

test('a consumer is created, edited, paused, resumed', async ({ owner }) => {
  await owner.call('POST', `/accounts/${owner.account}/streams`, { name: 'JOBS', subjects: ['jobs.>'] });
  for (const job of ['one', 'two', 'three']) await owner.store(`jobs.${job}`, `job ${job}`);

  const page = await owner.goto('/streams/JOBS/consumers/~new');
  await page.getByLabel('Name').fill('worker');
  await page.getByRole('button', { name: 'Create consumer' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /worker/ })).toBeVisible();
  await expect(page.getByText('3 messages behind')).toBeVisible();
  expect(await owner.must('consumer', 'next', 'JOBS', 'worker', '--ack', '--raw')).toContain('job one');
  await expect(page.getByText('2 messages behind')).toBeVisible();

  await page.getByRole('link', { name: 'Edit' }).click();
  await page.getByLabel('Out for ack at once').fill('50');
  await expect(page.getByText('+ max_ack_pending: 50')).toBeVisible();
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /worker/ })).toBeVisible();
  const { config } = JSON.parse(await owner.must('consumer', 'info', 'JOBS', 'worker', '--json')) as { config: { max_ack_pending: number } };
  expect(config.max_ack_pending).toBe(50);

  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause consumer' }).click();
  await expect(page.getByText(/^Paused until/)).toBeVisible();
  expect((await owner.nats('consumer', 'next', 'JOBS', 'worker', '--wait', '1s', '--raw')).output).not.toContain('job');
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  expect(await owner.must('consumer', 'next', 'JOBS', 'worker', '--ack', '--raw')).toContain('job two');
});

test('a stream is edited, shown as Terraform, purged by subject and deleted by name', async ({ owner }) => {
  const page = await owner.goto('/streams/JOBS/edit');
  await page.getByLabel('Description').fill('Jobs to do');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'JOBS', exact: true })).toBeVisible();
  await expect(page.getByText('Jobs to do').first()).toBeVisible();

  await page.getByRole('button', { name: 'Copy stream JOBS as Terraform' }).click();
  const terraform = page.getByRole('dialog');
  await expect(terraform.getByRole('region', { name: 'Terraform for stream JOBS' })).toContainText('description');
  await expect(terraform).toContainText(`terraform import penstock_stream.jobs ${owner.account}/JOBS`);
  await terraform.getByRole('button', { name: 'Close', exact: true }).first().click();
  await expect(page.getByRole('button', { name: 'Copy stream JOBS as Terraform' })).toBeFocused();

  await page.getByRole('button', { name: /More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Purge stream' }).click();
  const purge = page.getByRole('dialog');
  await purge.getByLabel(/Only messages of/).fill('jobs.one');
  await expect(purge.getByRole('row', { name: /Messages removed/ })).toContainText('Messages removed1');
  await confirmByName(page, 'Purge stream', 'JOBS');
  const { state } = JSON.parse(await owner.must('stream', 'info', 'JOBS', '--json')) as { state: { messages: number } };
  expect(state.messages).toBe(2);

  await page.getByRole('button', { name: /More actions/ }).click();
  await page.getByRole('menuitem', { name: 'Delete stream' }).click();
  await expect(page.getByRole('dialog').getByRole('row', { name: /Messages/ })).toContainText('2');
  await expect(page.getByRole('dialog')).toContainText('It can be restored with its messages until');
  await confirmByName(page, 'Delete stream', 'JOBS');
  await expect(page.getByRole('heading', { level: 1, name: 'Streams' })).toBeVisible();
  // Kept aside so that it can be restored, but nothing is stored on its subjects any more.
  expect((await owner.nats('req', 'jobs.four', 'job four')).output).toMatch(/no responders/i);
});

test('limits of the account reach the broker, and none below what is in use is taken', async ({ owner }) => {
  for (const name of ['KEPT', 'ALSO']) await owner.call('POST', `/accounts/${owner.account}/streams`, { name, subjects: [`${name}.>`] });
  const page = await owner.goto('/settings');
  await page.getByRole('button', { name: 'Change limits' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Streams', { exact: true }).fill('1');
  await expect(dialog.getByText(/of 1 is below the \d+ in use/)).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Change limits' })).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByLabel('Streams', { exact: true }).fill('40');
  await expect(dialog.getByRole('button', { name: 'Change limits' })).not.toHaveAttribute('aria-disabled');
  await dialog.getByRole('button', { name: 'Change limits' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row', { name: /^Streams/ })).toContainText('40');
  const client = await owner.connect();
  const most = async () => ((await client.request('$JS.API.INFO', undefined, { timeout: 30_000 })).json() as { limits: { max_streams: number } }).limits.max_streams;
  await expect.poll(most).toBe(40);
  await client.close();
});
