import { lostOrders } from './bent';
import { A, fromMenu, measured, type Shot } from './shot';

/** Overview, cluster, audit log and the frame around every page. */
export const OPERATE: readonly Shot[] = [
  { name: 'overview', path: A, act: measured },
  { name: 'overview-empty', path: A, state: 'fresh' },
  { name: 'cluster', path: `${A}/cluster` },
  { name: 'cluster-lost', path: `${A}/cluster`, before: lostOrders },
  { name: 'cluster-empty', path: `${A}/cluster`, state: 'fresh' },
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
  { name: 'nav-drawer', path: `${A}/streams`, anew: true, act: async (page) => {
    const button = page.getByRole('button', { name: 'Open navigation' });
    if (await button.isVisible()) await button.click();
    else await page.getByRole('button', { name: /Switch account/ }).click();
  } },
  { name: 'person-menu', path: `${A}/streams`, act: async (page) => {
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Dark' }).waitFor();
  } },
  { name: 'overview-error', path: A, before: (api) => api.faults.push({ method: 'GET', path: /\/streams$/, status: 504, code: 'broker_timeout', detail: 'The control plane asked the broker for streams and got no answer in 5 s.' }) },
  { name: 'cluster-error', path: `${A}/cluster`, before: (api) => api.faults.push({ method: 'GET', path: /\/cluster$/, status: 504, code: 'broker_timeout', detail: 'The control plane asked the broker for its nodes and got no answer in 5 s.' }) },
  { name: 'audit-empty', path: `${A}/audit`, state: 'fresh' },
  { name: 'account-switcher', path: `${A}/streams`, anew: true, act: async (page) => {
    const drawer = page.getByRole('button', { name: 'Open navigation' });
    if (await drawer.isVisible()) await drawer.click();
    await page.getByRole('button', { name: /Switch account/ }).last().click();
    await page.getByText('freight-staging').waitFor();
  } },
  { name: 'refresh-menu', path: `${A}/streams`, wide: true, act: async (page) => {
    await page.getByRole('button', { name: /Change how often values are read/ }).click();
    await page.getByRole('menuitem', { name: 'Off' }).waitFor();
  } },
  { name: 'palette-none', path: `${A}/streams`, act: async (page) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('zzz');
  } },
  { name: 'session-ended', path: `${A}/streams`, act: async (page, api) => {
    await page.getByText('ORDERS', { exact: true }).waitFor();
    api.state.session = false;
    await page.getByText('Your session has ended').waitFor({ timeout: 20_000 });
  } },
  { name: 'done-note', path: `${A}/streams/ORDERS_DLQ`, act: async (page) => {
    await fromMenu(page, 'Delete stream');
    await page.getByLabel(/Type ORDERS_DLQ/).fill('ORDERS_DLQ');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete stream' }).click();
    await page.getByText('ORDERS_DLQ deleted').waitFor();
  } },
];
