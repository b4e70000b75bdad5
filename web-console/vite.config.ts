import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const api = process.env.PENSTOCK_API ?? 'http://127.0.0.1:8080';

export default defineConfig({
  plugins: [react()],
  // `npm run dev` shows this source over a running control plane.
  server: { proxy: { '/v1': api, '/auth': api } },
  build: {
    target: 'es2022',
    // Inlined assets would be data: URLs, which the content security policy refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: true,
  },
});
