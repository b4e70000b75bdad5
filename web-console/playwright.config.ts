import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const chromium = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);

export default defineConfig({
  testDir: './e2e',
  fullyParallel: false,
  workers: 1,
  timeout: 60_000,
  reporter: 'list',
  forbidOnly: true,
  use: {
    launchOptions: {
      args: ['--no-sandbox', '--disable-gpu'],
      // Without a path Playwright looks for the browser it downloaded itself.
      ...(chromium ? { executablePath: chromium } : {}),
    },
    locale: 'en-GB',
    timezoneId: 'UTC',
    trace: 'off',
  },
  projects: [
    { name: 'journeys', testMatch: /.*\.journey\.ts/ },
    { name: 'shots', testMatch: /shots\.ts/, timeout: 300_000, retries: 1 },
  ],
});
