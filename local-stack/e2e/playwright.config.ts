import { defineConfig } from '@playwright/test';

const browser = {
  launchOptions: {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  },
};

export default defineConfig({
  testDir: './tests',
  outputDir: './test-results',
  globalSetup: './support/start-stack.ts',
  globalTeardown: './support/stop-stack.ts',
  // The tests share one stack of six processes on a small machine.
  workers: 1,
  fullyParallel: false,
  timeout: 400_000,
  expect: { timeout: 60_000 },
  reporter: [['list']],
  use: { ...browser, actionTimeout: 60_000, trace: 'retain-on-failure', screenshot: 'only-on-failure', viewport: { width: 1440, height: 900 } },
  projects: [
    { name: 'journeys', testMatch: /.*\.spec\.ts/ },
    { name: 'shots', testMatch: /.*\.shots\.ts/ },
  ],
});
