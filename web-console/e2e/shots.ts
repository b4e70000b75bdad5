import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { TestingApi } from '../testing/api';
import { freightState } from '../testing/freight';
import { emptyState, IDS } from '../testing/seed';
import { startServer } from '../testing/server';
import { DIST, expect, test } from './console';

const OUT = fileURLToPath(new URL('../shots', import.meta.url));
const A = `/accounts/${IDS.account}`;

interface Shot {
  name: string;
  path: string;
  state?: 'fresh' | 'freight' | 'signed-out';
  before?: (api: TestingApi) => unknown;
  /** Brings the page into the state to be pictured. */
  act?: (page: Page, api: TestingApi) => Promise<void>;
}

/** Rates need two reads, five seconds apart. */
const measured = (page: Page) => page.waitForTimeout(5_600);

const SHOTS: Shot[] = [
  { name: 'signup', path: '/signup', state: 'signed-out', act: async (page) => {
    await page.getByLabel('Work e-mail').fill('ines@meridian-freight.example');
    await page.getByLabel('Organisation').fill('Meridian Freight');
  } },
  { name: 'signup-errors', path: '/signup', state: 'signed-out', act: async (page) => {
    await page.getByLabel('Work e-mail').fill('ines@');
    await page.getByRole('button', { name: 'Create account' }).click();
  } },
  { name: 'verify', path: '/signup', state: 'signed-out', act: async (page) => {
    await page.getByLabel('Work e-mail').fill('ines@meridian-freight.example');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Six-digit code').fill('4 1 9 0 7');
  } },
  { name: 'verify-link', path: '/verify?token=a-token-from-the-mail', state: 'signed-out' },
  { name: 'forgot-password', path: '/forgot-password', state: 'signed-out' },
  { name: 'reset-password', path: '/reset-password#token=a-token-from-the-mail', state: 'signed-out' },
  { name: 'signed-out', path: '/signed-out', state: 'signed-out' },
  { name: 'setting-up', path: '/', state: 'fresh', before: (api) => (api.state.bootstrap = 'running') },
  { name: 'get-started', path: `${A}/get-started`, state: 'fresh' },
  { name: 'get-started-half', path: `${A}/get-started`, state: 'fresh', act: async (page, api) => {
    const freight = freightState();
    api.state.users = freight.users.slice(1, 2);
    api.state.issuances = freight.issuances.slice(1, 2);
    api.state.connected = freight.connected;
    await page.getByRole('button', { name: 'Create HELLO for me' }).waitFor();
  } },
  { name: 'overview', path: A, act: measured },
  { name: 'overview-empty', path: A, state: 'fresh' },
  { name: 'streams', path: `${A}/streams`, act: measured },
  { name: 'streams-empty', path: `${A}/streams`, state: 'fresh' },
  { name: 'streams-no-match', path: `${A}/streams?q=ordr` },
  { name: 'streams-error', path: `${A}/streams`, act: async (page, api) => {
    api.faults.push({ method: 'GET', path: /streams$/, status: 504, code: 'broker_timeout', detail: 'The control plane asked the broker for streams and got no answer in 5 s.' });
    await page.reload();
    await page.getByText('Streams could not be read').waitFor();
  } },
  { name: 'streams-reconnecting', path: `${A}/streams`, act: async (page, api) => {
    await page.getByText('ORDERS', { exact: true }).waitFor();
    api.faults.push({ method: 'GET', path: /streams$/, status: 504, code: 'broker_timeout', detail: 'The broker gave no answer in 5 s.' });
    await page.getByText('Live values stopped').waitFor({ timeout: 20_000 });
  } },
  { name: 'stream', path: `${A}/streams/ORDERS`, act: measured },
  { name: 'stream-consumers', path: `${A}/streams/ORDERS?tab=consumers` },
  { name: 'stream-subjects', path: `${A}/streams/ORDERS?tab=subjects` },
  { name: 'stream-config', path: `${A}/streams/ORDERS?tab=config` },
  { name: 'stream-history', path: `${A}/streams/ORDERS?tab=history` },
  { name: 'stream-delete', path: `${A}/streams/ORDERS`, act: async (page) => {
    await page.getByRole('button', { name: /More actions/ }).click();
    await page.getByRole('menuitem', { name: 'Delete stream' }).click();
    await page.getByLabel(/Type ORDERS/).fill('ORD');
  } },
  { name: 'stream-menu', path: `${A}/streams/ORDERS`, act: async (page) => {
    await page.getByRole('button', { name: /More actions/ }).click();
    await page.getByRole('menuitem', { name: 'Delete stream' }).waitFor();
  } },
  { name: 'stream-purge', path: `${A}/streams/ORDERS`, act: async (page) => {
    await page.getByRole('button', { name: /More actions/ }).click();
    await page.getByRole('menuitem', { name: 'Purge stream' }).click();
    await page.getByLabel(/Only messages of/).fill('orders.eu.>');
  } },
  { name: 'stream-create', path: `${A}/streams/~new`, act: async (page) => {
    await page.getByLabel('Name').fill('CUSTOMS_EVENTS');
    await page.getByLabel('Description').fill('Declarations and rulings from the customs gateway');
    await page.getByLabel('Subjects').fill('customs.event.>,customs.decl.*,');
    await page.getByLabel('Oldest', { exact: true }).fill('30');
    await page.getByLabel('Size', { exact: true }).fill('5');
    await page.getByRole('tab', { name: 'nats CLI' }).click();
  } },
  { name: 'stream-edit', path: `${A}/streams/ORDERS/edit`, act: async (page) => {
    await page.getByLabel('Size', { exact: true }).fill('25');
  } },
  { name: 'stream-conflict', path: `${A}/streams/ORDERS/edit`, act: async (page, api) => {
    await page.getByLabel('Size', { exact: true }).fill('25');
    await page.getByLabel('Oldest', { exact: true }).fill('14');
    const entry = api.state.streams.get('ORDERS');
    if (entry) {
      entry.stream.max_bytes = 30_000_000_000;
      entry.version += 1;
    }
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('changed while you were editing').waitFor();
  } },
  { name: 'consumer', path: `${A}/streams/ORDERS/consumers/billing-worker`, act: measured },
  { name: 'consumer-fresh', path: `${A}/streams/ORDERS/consumers/fulfilment` },
  { name: 'consumer-create', path: `${A}/streams/ORDERS/consumers/~new`, act: async (page) => {
    await page.getByLabel('Name').fill('invoice-worker');
    await page.getByLabel('Only subjects').fill('orders.*.paid,');
    await page.getByLabel('Deliver at most').fill('5');
  } },
  { name: 'credentials', path: `${A}/credentials`, act: async (page) => {
    await page.getByRole('button', { name: 'edi-gateway' }).click();
    await page.getByText('Issue another credential').waitFor();
  } },
  { name: 'credentials-empty', path: `${A}/credentials`, state: 'fresh' },
  { name: 'credentials-groups', path: `${A}/credentials?tab=groups` },
  { name: 'credentials-issuances', path: `${A}/credentials?tab=issuances` },
  { name: 'credential-create', path: `${A}/credentials?create=true`, act: async (page) => {
    await page.getByRole('textbox', { name: 'Name' }).fill('invoice-service');
  } },
  { name: 'credential-own-key', path: `${A}/credentials?create=true`, act: async (page) => {
    await page.getByRole('textbox', { name: 'Name' }).fill('invoice-service');
    await page.getByRole('radio', { name: /I have a key/ }).click();
  } },
  { name: 'credential-ready', path: `${A}/credentials?create=true`, act: async (page) => {
    await page.getByRole('textbox', { name: 'Name' }).fill('invoice-service');
    await page.getByRole('dialog').getByRole('button', { name: 'Create credential' }).click();
    await page.getByText('is ready').waitFor();
  } },
  { name: 'connect', path: `${A}/connect`, act: async (page) => {
    await page.getByLabel('Stream', { exact: true }).selectOption('ORDERS');
    await page.getByLabel('Consumer', { exact: true }).selectOption('fulfilment');
    await page.getByRole('tab', { name: 'Go' }).click();
    await page.getByRole('button', { name: 'Consume' }).click();
  } },
  { name: 'connect-waiting', path: `${A}/connect`, state: 'fresh' },
  { name: 'consumer-edit', path: `${A}/streams/ORDERS/consumers/billing-worker/edit`, act: async (page) => {
    await page.getByLabel('Out for ack at once').fill('2500');
  } },
  { name: 'consumer-pause', path: `${A}/streams/ORDERS/consumers/fulfilment`, act: async (page) => {
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('dialog').waitFor();
  } },
  { name: 'stream-terraform', path: `${A}/streams/ORDERS`, act: async (page) => {
    await page.getByRole('button', { name: 'Copy stream ORDERS as Terraform' }).click();
    await page.getByRole('dialog').waitFor();
  } },
  { name: 'stream-bare', path: `${A}/streams/CUSTOMS_DECL` },
  { name: 'stream-edit-more', path: `${A}/streams/ORDERS/edit`, act: async (page) => {
    for (const summary of await page.locator('details.more > summary').all()) await summary.click();
  } },
  { name: 'kv', path: `${A}/kv` },
  { name: 'kv-empty', path: `${A}/kv`, state: 'fresh' },
  { name: 'kv-create', path: `${A}/kv/~new`, act: async (page) => {
    await page.getByLabel('Name').fill('flags');
    await page.getByRole('tab', { name: 'Terraform' }).click();
  } },
  { name: 'kv-bucket', path: `${A}/kv/settings?key=checkout.fees` },
  { name: 'kv-conflict', path: `${A}/kv/settings?key=limits.daily`, act: async (page, api) => {
    await page.getByRole('region', { name: 'Key limits.daily' }).getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Value' }).fill('30000');
    Object.assign(api.state.access.kv.get('settings')?.entries.get('limits.daily') ?? {}, { value: '27000', revision: 99 });
    await page.getByRole('button', { name: 'Save value' }).click();
    await page.getByText('Somebody wrote').waitFor();
  } },
  { name: 'kv-put', path: `${A}/kv/settings`, act: async (page) => {
    await page.getByRole('button', { name: 'Put key' }).click();
    await page.getByRole('dialog').getByLabel('Key').fill('limits.daily');
  } },
  { name: 'objects', path: `${A}/objects` },
  { name: 'object-bucket', path: `${A}/objects/labels` },
  { name: 'sharing', path: `${A}/sharing`, act: async (page) => {
    await page.getByRole('button', { name: 'order-events' }).click();
    await page.getByText('Share with an account').waitFor();
  } },
  { name: 'sharing-imports', path: `${A}/sharing?tab=imports` },
  { name: 'sharing-offers', path: `${A}/sharing?tab=offers` },
  { name: 'sharing-export', path: `${A}/sharing`, act: async (page) => {
    await page.getByRole('button', { name: 'Create export' }).click();
    await page.getByRole('textbox', { name: 'Subject', exact: true }).fill('track.eu');
  } },
  { name: 'sharing-import', path: `${A}/sharing?tab=imports`, act: async (page) => {
    await page.getByRole('button', { name: 'Create import' }).click();
  } },
  { name: 'members', path: `${A}/members` },
  { name: 'members-invitations', path: `${A}/members?tab=invitations` },
  { name: 'members-roles', path: `${A}/members?tab=roles` },
  { name: 'members-invite', path: `${A}/members`, act: async (page) => {
    await page.getByRole('button', { name: 'Invite member' }).click();
    await page.getByLabel('E-mail address').fill('noor@meridian-freight.example');
  } },
  { name: 'service-accounts', path: `${A}/service-accounts`, act: async (page) => {
    await page.getByRole('button', { name: 'ci', exact: true }).click();
    await page.getByText('deploy', { exact: true }).waitFor();
  } },
  { name: 'tokens-all', path: `${A}/service-accounts?tab=tokens` },
  { name: 'token-create', path: `${A}/service-accounts`, act: async (page) => {
    await page.getByRole('button', { name: 'ci', exact: true }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByLabel('Name').fill('release');
  } },
  { name: 'token-ready', path: `${A}/service-accounts?tab=personal`, act: async (page) => {
    await page.getByRole('button', { name: 'Create personal token' }).click();
    await page.getByLabel('Name').fill('laptop-2');
    await page.getByRole('radio', { name: /Read all/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click();
    await page.getByText('is ready').waitFor();
  } },
  { name: 'revocations', path: `${A}/credentials?tab=revocations` },
  { name: 'revoke-key', path: `${A}/credentials?tab=revocations`, act: async (page) => {
    await page.getByRole('button', { name: 'Revoke key' }).click();
  } },
  { name: 'settings', path: `${A}/settings` },
  { name: 'settings-limits', path: `${A}/settings`, act: async (page) => {
    await page.getByRole('button', { name: 'Change limits' }).click();
    await page.getByLabel('Streams', { exact: true }).fill('3');
    await page.getByText('streams are in use').first().waitFor();
  } },
  { name: 'settings-mapping', path: `${A}/settings`, act: async (page) => {
    await page.getByRole('button', { name: 'Edit mapping of eta.request.*' }).click();
  } },
  { name: 'account-deleted', path: `${A}/streams`, before: (api) => Object.assign(api.state.access.account, { state: 'deleted', purge_at: new Date(Date.now() + 6 * 86_400_000).toISOString() }) },
  { name: 'cluster', path: `${A}/cluster` },
  { name: 'cluster-lost', path: `${A}/cluster`, before: (api) => {
    const orders = api.state.streams.get('ORDERS');
    if (orders) orders.stream.cluster = { name: 'eu-central-1', leader: null, raft_group: 'pg-09', replicas: [{ name: 'eu-a-1', current: true, offline: false }, { name: 'eu-b-1', current: false, offline: true }, { name: 'eu-c-1', current: false, offline: true }] };
  } },
  { name: 'cluster-empty', path: `${A}/cluster`, state: 'fresh' },
  { name: 'invitation', path: '/invitation#token=a-token-from-the-mail', state: 'signed-out' },
  { name: 'audit-filtered', path: `${A}/audit?action=stream.deleted&since=1h` },
  { name: 'audit', path: `${A}/audit` },
  { name: 'palette', path: `${A}/streams`, act: async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('ord');
  } },
  { name: 'keys', path: `${A}/streams`, act: async (page) => {
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
  } },
  { name: 'nav-drawer', path: `${A}/streams`, act: async (page) => {
    const button = page.getByRole('button', { name: 'Open navigation' });
    if (await button.isVisible()) await button.click();
    else await page.getByRole('button', { name: /Switch account/ }).click();
  } },
  { name: 'person-menu', path: `${A}/streams`, act: async (page) => {
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).waitFor();
  } },
  { name: 'not-found', path: '/nowhere' },
];

const only = process.env.SHOTS?.split(',');

for (const width of [1440, 390]) {
  for (const scheme of ['light', 'dark'] as const) {
    test.describe(`${width} ${scheme}`, () => {
      test.use({ viewport: { width, height: 900 }, colorScheme: scheme, reducedMotion: 'reduce' });
      for (const shot of SHOTS) {
        if (only && !only.includes(shot.name)) continue;
        test(shot.name, async ({ page }) => {
          test.setTimeout(60_000);
          mkdirSync(OUT, { recursive: true });
          const fresh = shot.state === 'fresh' || shot.state === 'signed-out';
          const api = new TestingApi(fresh ? emptyState() : freightState());
          if (shot.state === 'signed-out') api.state.session = false;
          shot.before?.(api);
          const server = await startServer(api, DIST);
          try {
            await page.goto(server.url + shot.path);
            await page.waitForLoadState('networkidle').catch(() => undefined);
            await shot.act?.(page, api);
            await page.waitForTimeout(400);
            await page.screenshot({ path: `${OUT}/${shot.name}-${width}-${scheme}.png`, fullPage: !(await page.getByRole('dialog').isVisible()) });
            const sideways = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
            expect(sideways, 'pixels of sideways scroll').toBe(0);
            // What is pointed at shows a note, which is not part of the page.
            await page.mouse.move(0, 0);
            const axe = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']).analyze();
            expect(axe.violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).slice(0, 3).join(' | ')}`)).toEqual([]);
          } finally {
            await server.stop();
          }
        });
      }
    });
  }
}
