import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const simulators = process.env.MARQUEE_SIM ?? 'http://127.0.0.1:9090';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The build of the simulators' console. It is separate from the build of the shop's app, so that the console does not
 * change the chunks of the app.
 */
export default defineConfig({
  root: here('src/console'),
  publicDir: here('public'),
  cacheDir: here('../node_modules/.vite-console'),
  plugins: [react()],
  server: {
    port: 5174,
    proxy: Object.fromEntries(['/sim', '/phone', '/art'].map((prefix) => [prefix, { target: simulators }])),
  },
  build: {
    outDir: here('dist-console'),
    emptyOutDir: true,
    license: { fileName: 'licenses/console.json' },
    target: ['es2022', 'chrome107', 'safari16'],
    // The content security policy forbids data: scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});
