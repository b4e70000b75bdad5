import { makeKv, makeObjects } from '../../testing/access-state';
import { makeStream } from '../../testing/seed';
import { LONG_CONSUMER, LONG_STREAM, longNames, lostOrders } from './bent';
import { A, fromMenu, measured, opens, type Shot, whileReading } from './shot';

/** Streams, consumers and buckets. */
export const DATA: readonly Shot[] = [
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
    await fromMenu(page, 'Delete stream');
    await page.getByLabel(/Type ORDERS/).fill('ORD');
  } },
  { name: 'stream-menu', path: `${A}/streams/ORDERS`, act: async (page) => {
    await page.getByRole('button', { name: /More actions/ }).click();
    await page.getByRole('menuitem', { name: 'Delete stream' }).waitFor();
  } },
  { name: 'stream-purge', path: `${A}/streams/ORDERS`, act: async (page) => {
    await fromMenu(page, 'Purge stream');
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
  { name: 'streams-loading', path: `${A}/streams`, act: (page, api) => whileReading(page, api, /\/streams$/) },
  { name: 'streams-forbidden', path: `${A}/streams`, before: (api) => api.faults.push({ method: 'GET', path: /streams$/, status: 403, code: 'permission_denied', detail: 'You are Billing in Meridian Freight. Listing streams needs streams:read.' }) },
  { name: 'streams-long', path: `${A}/streams`, before: longNames, act: measured },
  { name: 'stream-long', path: `${A}/streams/${LONG_STREAM}`, before: longNames },
  { name: 'stream-long-consumers', path: `${A}/streams/${LONG_STREAM}?tab=consumers`, before: longNames },
  { name: 'stream-long-subjects', path: `${A}/streams/${LONG_STREAM}?tab=subjects`, before: longNames },
  { name: 'stream-long-delete', path: `${A}/streams/${LONG_STREAM}`, before: longNames, act: (page) => fromMenu(page, 'Delete stream') },
  { name: 'consumer-long', path: `${A}/streams/${LONG_STREAM}/consumers/${LONG_CONSUMER}`, before: longNames },
  { name: 'stream-empty', path: `${A}/streams/NEW`, before: (api) => api.state.streams.set('NEW', makeStream('NEW', ['new.>'])) },
  { name: 'stream-no-consumers', path: `${A}/streams/ORDERS_DLQ?tab=consumers` },
  { name: 'stream-missing', path: `${A}/streams/ODERS` },
  { name: 'stream-no-match', path: `${A}/streams/ORDERS?subject=orders.mars.*` },
  { name: 'stream-lost', path: `${A}/streams/ORDERS`, before: lostOrders },
  { name: 'stream-message-delete', path: `${A}/streams/ORDERS`, act: async (page) => {
    await page.getByRole('row').nth(3).click();
    await page.getByRole('button', { name: 'Delete message' }).click();
    await page.getByRole('dialog').waitFor();
  } },
  { name: 'stream-edit-for-good', path: `${A}/streams/CARRIER_EDI_IN/edit`, act: async (page) => {
    for (const summary of await page.locator('details.more > summary').all()) await summary.click();
    await page.getByRole('checkbox', { name: /Seal/ }).check();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('dialog').waitFor();
  } },
  { name: 'stream-create-errors', path: `${A}/streams/~new`, act: async (page) => {
    await page.getByLabel('Name').fill('ORDERS');
    await page.getByLabel('Subjects').fill('orders..x,');
    await page.getByLabel('Oldest', { exact: true }).fill('soon');
    await page.getByRole('button', { name: 'Create stream' }).hover();
  } },
  { name: 'consumer-paused', path: `${A}/streams/ORDERS/consumers/nightly-export` },
  { name: 'consumer-missing', path: `${A}/streams/ORDERS/consumers/nobody` },
  { name: 'consumer-reset', path: `${A}/streams/ORDERS/consumers/billing-worker`, act: (page) => fromMenu(page, 'Move position') },
  { name: 'consumer-delete', path: `${A}/streams/ORDERS/consumers/billing-worker`, act: (page) => fromMenu(page, 'Delete consumer') },
  { name: 'kv-edit', path: `${A}/kv/settings/edit`, act: (page) => page.getByLabel('Values of each key').fill('20') },
  { name: 'kv-bucket-empty', path: `${A}/kv/fresh`, before: (api) => api.state.access.kv.set('fresh', makeKv('fresh', {}, {}, Date.now())) },
  { name: 'kv-bucket-keys', path: `${A}/kv/settings` },
  { name: 'kv-missing', path: `${A}/kv/nothing` },
  { name: 'kv-delete', path: `${A}/kv/settings`, act: (page) => fromMenu(page, 'Delete bucket') },
  { name: 'kv-key-delete', path: `${A}/kv/settings?key=limits.daily`, act: async (page) => {
    await page.getByRole('region', { name: 'Key limits.daily' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor();
  } },
  { name: 'objects-empty', path: `${A}/objects`, state: 'fresh' },
  { name: 'object-create', path: `${A}/objects/~new`, act: (page) => page.getByLabel('Name').fill('invoices') },
  { name: 'object-edit', path: `${A}/objects/labels/edit` },
  { name: 'object-bucket-empty', path: `${A}/objects/scans`, before: (api) => api.state.access.objects.set('scans', makeObjects('scans', {}, [], Date.now())) },
  { name: 'object-delete', path: `${A}/objects/labels`, act: opens('Delete templates/pallet.svg') },
];
