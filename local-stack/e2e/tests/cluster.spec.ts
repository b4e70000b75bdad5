import { node } from '../support/stack.ts';
import { expect, test } from '../support/tenants.ts';

test.describe.configure({ mode: 'serial' });

interface Seen {
  nodes: { name: string; state: string }[];
  groups: { streams: string[]; margin: number | null; cluster: { leader: string | null } | null }[];
}

test('the margin of a stream goes down with a node and comes back with it', async ({ owner }) => {
  test.setTimeout(600_000);
  await owner.call('POST', `/accounts/${owner.account}/streams`, { name: 'SAFE', subjects: ['safe.>'], num_replicas: 3 });
  for (let i = 0; i < 3; i++) await owner.store('safe.a', `message ${i}`);
  const page = await owner.goto('/cluster');
  const row = page.getByRole('row', { name: /SAFE/ });
  await expect(row).toContainText('+1', { timeout: 120_000 });

  // Not the one the CLI and the console's own reading go to first.
  const before = await owner.call<Seen>('GET', `/accounts/${owner.account}/cluster`);
  const lost = before.nodes.map((entry) => entry.name).sort().at(-1) as string;
  node('kill', lost);
  try {
    await expect(page.getByRole('listitem').filter({ hasText: lost })).toContainText('gone', { timeout: 120_000 });
    await expect(row.getByText('0', { exact: true })).toBeVisible({ timeout: 120_000 });
    await expect(page.getByText(/No replica to spare for/)).toBeVisible();
    await expect.poll(async () => (await owner.nats('req', 'safe.a', 'with two nodes')).output, { timeout: 120_000 }).toContain('"stream":"SAFE"');
  } finally {
    node('start', lost);
  }
  await expect(page.getByRole('listitem').filter({ hasText: lost })).toContainText('serving', { timeout: 120_000 });
  await expect(row).toContainText('+1', { timeout: 120_000 });
  await expect(page.getByText(/No replica to spare for/)).toBeHidden();
});
