import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { person, signUp } from '../support/person.ts';
import { root, status } from '../support/stack.ts';

const folder = join(root, 'local-stack', 'target', 'shots');
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

/** Pictures of every page on the real stack, in both themes and at both widths, and no serious finding of axe. */
test('pictures of every page', async ({ page }) => {
  test.setTimeout(1_200_000);
  mkdirSync(folder, { recursive: true });
  const account = await signUp(page, person('shots'), 'code');
  const me = (await (await page.request.get(`${status().api}/me`)).json()) as { csrf_token: string };
  const post = (path: string, data: object) =>
    page.request.post(`${status().api}${path}`, {
      headers: { 'X-CSRF-Token': me.csrf_token, Origin: status().console, 'Idempotency-Key': crypto.randomUUID() },
      data,
    });
  for (const [path, data] of [
    ['streams', { name: 'ORDERS', subjects: ['orders.>'], description: 'Orders of the shop' }],
    ['streams/ORDERS/consumers', { name: 'fulfilment', ack_policy: 'explicit' }],
    ['kv', { name: 'settings', history: 5, num_replicas: 3, description: 'What the services read at start' }],
    ['objects', { name: 'labels' }],
    ['exports', { name: 'order-events', type: 'stream', subject: 'orders.eu.>' }],
  ] as const) {
    const made = await post(`/accounts/${account}/${path}`, data);
    expect(made.status(), await made.text()).toBe(201);
  }
  const pages: Record<string, string> = {
    signup: '/signup',
    overview: `/accounts/${account}`,
    'get-started': `/accounts/${account}/get-started`,
    connect: `/accounts/${account}/connect`,
    credentials: `/accounts/${account}/credentials`,
    streams: `/accounts/${account}/streams`,
    'stream-create': `/accounts/${account}/streams/~new`,
    stream: `/accounts/${account}/streams/ORDERS`,
    'stream-edit': `/accounts/${account}/streams/ORDERS/edit`,
    consumer: `/accounts/${account}/streams/ORDERS/consumers/fulfilment`,
    'consumer-edit': `/accounts/${account}/streams/ORDERS/consumers/fulfilment/edit`,
    kv: `/accounts/${account}/kv`,
    'kv-bucket': `/accounts/${account}/kv/settings`,
    objects: `/accounts/${account}/objects`,
    'object-bucket': `/accounts/${account}/objects/labels`,
    revocations: `/accounts/${account}/credentials?tab=revocations`,
    sharing: `/accounts/${account}/sharing`,
    'sharing-offers': `/accounts/${account}/sharing?tab=offers`,
    members: `/accounts/${account}/members`,
    'members-roles': `/accounts/${account}/members?tab=roles`,
    'service-accounts': `/accounts/${account}/service-accounts`,
    cluster: `/accounts/${account}/cluster`,
    audit: `/accounts/${account}/audit`,
    settings: `/accounts/${account}/settings`,
  };
  for (const [name, path] of Object.entries(pages)) {
    for (const size of SIZES) {
      for (const scheme of ['light', 'dark'] as const) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
        await page.goto(status().console + path);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
        await page.screenshot({ path: join(folder, `${name}-${size.width}-${scheme}.png`), fullPage: true });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        expect(wide, `${name} scrolls sideways at ${size.width}`).toBeLessThanOrEqual(0);
        const { violations } = await new AxeBuilder({ page }).analyze();
        const serious = violations.filter((violation) => violation.impact === 'serious' || violation.impact === 'critical');
        expect(serious.map((violation) => `${violation.id}: ${violation.nodes[0]?.html}`), `${name} ${size.width} ${scheme}`).toEqual([]);
      }
    }
  }
});
