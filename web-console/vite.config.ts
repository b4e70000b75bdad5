import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { testingApiPlugin } from './testing/vite-plugin';

// `vite --mode testing` answers /v1 and /auth from the in-memory testing API; every other mode
// forwards them to a running control plane.
export default defineConfig(({ mode }) => ({
  plugins: [react(), ...(mode === 'testing' ? [testingApiPlugin()] : [])],
  server:
    mode === 'testing'
      ? {}
      : {
          proxy: {
            '/v1': process.env.PENSTOCK_API ?? 'http://127.0.0.1:8080',
            '/auth': process.env.PENSTOCK_API ?? 'http://127.0.0.1:8080',
          },
        },
  build: {
    target: 'es2022',
    // Inlined assets would be data: URLs, which the content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
  },
}));
