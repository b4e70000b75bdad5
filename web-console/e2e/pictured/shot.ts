import type { Page } from '@playwright/test';
import type { TestingApi } from '../../testing/api';
import { IDS } from '../../testing/ids';

/** Where the pages of the pictured account are. */
export const A = `/accounts/${IDS.account}`;

/** One page in one state. */
export interface Shot {
  name: string;
  path: string;
  /** An account in full use, unless said otherwise. */
  state?: 'fresh' | 'freight' | 'signed-out';
  /** Where a page has it in wide windows alone. */
  wide?: boolean;
  /** Where the way to it is another one in a narrow window. */
  anew?: boolean;
  before?: (api: TestingApi) => unknown;
  /** Brings the page into the state to be pictured. */
  act?: (page: Page, api: TestingApi) => Promise<void>;
}

/** Rates need two reads, five seconds apart. */
export const measured = (page: Page) => page.waitForTimeout(5_600);

/** Opens the menu behind the three dots and one of its entries. */
export async function fromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /More actions/ }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

/** Presses a button of the page that opens a dialog. */
export const opens = (button: string) => async (page: Page) => {
  await page.getByRole('button', { name: button, exact: true }).first().click();
  await page.getByRole('dialog').waitFor();
};

/** Loads the page again while answers to this path do not come. */
export async function whileReading(page: Page, api: TestingApi, path: RegExp): Promise<void> {
  api.slow = path;
  await page.reload({ waitUntil: 'commit' });
  await page.getByText(/^Reading /).waitFor();
}
