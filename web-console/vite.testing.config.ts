import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { testingApiPlugin } from './testing/vite-plugin';

/** `npm run dev:testing`: this source over the in-memory testing API, with no control plane. */
export default defineConfig({ plugins: [react(), testingApiPlugin()] });
