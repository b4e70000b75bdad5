import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

// The suffix picks the runner: *.test.ts is pure and runs in node, *.test.tsx gets a document.
export default defineConfig({
  plugins: [react()],
  test: {
    restoreMocks: true,
    css: false,
    projects: [
      { extends: true, test: { name: 'pure', environment: 'node', include: ['src/**/*.test.ts'] } },
      {
        extends: true,
        test: {
          name: 'pages',
          environment: 'jsdom',
          environmentOptions: { jsdom: { url: 'http://console.test/' } },
          include: ['src/**/*.test.tsx'],
          setupFiles: ['./testing/setup-dom.ts'],
          // Generous, for a machine that does other things too; a test ends as soon as its conditions hold.
          testTimeout: 300_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
    ],
  },
});
