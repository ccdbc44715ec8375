import { defineConfig } from 'vitest/config';

/** The web app as consumer of the shop: `npm run test:pact` writes contracts/pacts/marquee-web-marquee-shop.json. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite-pact',
  test: {
    environment: 'node',
    globalSetup: ['./test/pact-files.ts'],
    setupFiles: ['./test/pact-browser.ts'],
    include: ['src/contracts/**/*.pact.test.ts'],
    // One file after the other in one process: the pact is written in the same order every time.
    pool: 'forks',
    maxWorkers: 1,
    fileParallelism: false,
    sequence: { shuffle: false },
  },
});
