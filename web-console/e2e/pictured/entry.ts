import { freightState } from '../../testing/freight';
import { A, type Shot } from './shot';

/** Before there is an account, and where there is none. */
export const ENTRY: readonly Shot[] = [
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
  { name: 'invitation', path: '/invitation#token=a-token-from-the-mail', state: 'signed-out' },
  { name: 'not-found', path: '/nowhere' },
  { name: 'verify-wrong', path: '/signup', state: 'signed-out', act: async (page) => {
    await page.getByLabel('Work e-mail').fill('ines@meridian-freight.example');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByLabel('Six-digit code').fill('419071');
    await page.getByRole('textbox', { name: 'Password' }).fill('a long enough password');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('does not match').waitFor();
  } },
  { name: 'verify-bare', path: '/verify', state: 'signed-out' },
  { name: 'verify-link-used', path: '/verify?token=a-token-from-the-mail', state: 'signed-out', act: async (page) => {
    await page.getByRole('textbox', { name: 'Password' }).fill('a long enough password');
    await page.getByRole('button', { name: 'Confirm my address' }).click();
    await page.getByText('has been used').first().waitFor();
  } },
  { name: 'forgot-password-sent', path: '/forgot-password', state: 'signed-out', act: async (page) => {
    await page.getByLabel('E-mail').fill('ines@meridian-freight.example');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('Look into your mail').waitFor();
  } },
  { name: 'reset-password-used', path: '/reset-password#token=a-token-from-the-mail', state: 'signed-out', act: async (page) => {
    await page.getByRole('textbox', { name: 'New password' }).fill('a long enough password');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Ask for a new link').waitFor();
  } },
  { name: 'reset-password-bare', path: '/reset-password', state: 'signed-out' },
  { name: 'invitation-bare', path: '/invitation', state: 'signed-out' },
  { name: 'no-account', path: '/accounts/acct_01J9ZQ4T7YJ3M5X8R2B6C0D1ZZ/streams' },
  { name: 'account-error', path: `${A}/streams`, before: (api) => api.faults.push({ method: 'GET', path: /\/me$/, status: 503, code: 'unavailable', detail: 'The control plane could not reach its database.' }) },
];
