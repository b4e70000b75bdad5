import { fileURLToPath } from 'node:url';
import { test as base, expect, type Page } from '@playwright/test';
import { TestingApi } from '../testing/api';
import { emptyState, type TestingState } from '../testing/seed';
import { startServer } from '../testing/server';

export const DIST = fileURLToPath(new URL('../dist', import.meta.url));

/** A built console over a testing API of its own, for one test. */
export const test = base.extend<{ state: TestingState; api: TestingApi; url: string }>({
  state: async ({}, use) => use(emptyState()),
  api: async ({ state }, use) => use(new TestingApi(state)),
  url: async ({ api }, use) => {
    const server = await startServer(api, DIST);
    await use(server.url);
    await server.stop();
  },
  page: async ({ page }, use) => {
    const wrong: string[] = [];
    // A refusal of the content security policy and an exception both end up on the console.
    page.on('console', (message) => {
      if (message.type() === 'error' && !/status of (4|5)\d\d/.test(message.text())) wrong.push(message.text());
    });
    page.on('pageerror', (error) => wrong.push(String(error)));
    await use(page);
    expect(wrong, 'errors on the browser console').toEqual([]);
  },
});

export { expect };

/** Everything a stored secret could hide in. */
export async function storedText(page: Page): Promise<string> {
  return page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }) + location.href + JSON.stringify(history.state) + document.cookie);
}
