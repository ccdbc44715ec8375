import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { compressed, routeManifest, scriptsLast } from './route-manifest.ts';

const shop = process.env.MARQUEE_SHOP ?? 'http://127.0.0.1:8080';

/**
 * The paths that the development server proxies to the shop: the shop's calls, and the pictures that it stores or to
 * which it redirects.
 */
const shopPaths = '^/(movie|newmovie|api|Login|Member|Film|Dyorder|Kaquan|avatars|art)/';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Puts the running shop's configuration into the development server's page, because only the shop knows its channel and
 * links. In production the shop writes it into the built page.
 */
function shopConfig(): Plugin {
  const block = /<script type="application\/json" id="marquee-config">[\s\S]*?<\/script>/;
  return {
    name: 'shop-config',
    apply: 'serve',
    async transformIndexHtml(html) {
      const page = await fetch(`${shop}/index`).then(
        (answer) => answer.text(),
        (reason) => {
          throw new Error(`The shop at ${shop} does not answer: start it with "make dev".`, { cause: reason });
        },
      );
      return html.replace(block, (empty) => block.exec(page)?.[0] ?? empty);
    },
  };
}

/** Modules that several screens use. */
const shared = /src[\\/](wire|session|shop|pay|ui)[\\/]/;

/**
 * Modules that only the pages of films and cinemas share. They are a separate chunk, so that these pages do not load
 * payment code.
 */
const browsing = new RegExp(
  [
    'ui/(looks|nav-bar|popup|share|share-button|use-leave|use-scrolled-past)',
    'shop/(get-film|map-address|price|server-time|time)',
    'session/use-share-card',
    'features/cinemas/(known-cinemas|listed-cinema)',
  ]
    .map((files) => `src/${files}\\.`)
    .join('|')
    .replaceAll('/', '[\\\\/]'),
);

/**
 * Modules of the chunk "common": those of the first page, without the entry, which index.html links. One chunk
 * compresses better than several.
 */
const firstPage = /src[\\/](app[\\/](?!main)|features[\\/]home[\\/]list-films|(wire|session|shop|pay|ui)[\\/])/;

/**
 * The length of the hashes in file names: the shortest that Rolldown allows, because the first page lists the files of
 * all screens, and hashes do not compress.
 */
const hashLength = 7;
const hashed = `assets/[name]-[hash:${hashLength}]`;

/** The files of the start, which index.html links. */
const start = new RegExp(`/(index|vendor|common|rolldown-runtime)-.{${hashLength}}\\.(js|css)$`);

/**
 * Tests that need freshly loaded modules, because they replace a chunk, the messaging app's SDK or the user agent
 * before the modules load.
 */
const ownPage = [
  'src/app/later.test.ts',
  'src/app/leaving.test.tsx',
  'src/app/popup-back.test.tsx',
  'src/session/position.test.ts',
  'src/session/share-card.test.ts',
  'src/features/cards/scan.test.tsx',
  'src/features/home/home-chunks.test.tsx',
  'src/ui/toast.test.tsx',
];

export default defineConfig({
  root: import.meta.dirname,
  cacheDir: '../node_modules/.vite',
  plugins: [react(), shopConfig(), scriptsLast, routeManifest(), compressed()],
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: { [shopPaths]: { target: shop, changeOrigin: true } },
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // A release lists these packages and their licenses.
    license: { fileName: 'licenses/app.json' },
    target: ['es2022', 'chrome107', 'safari16'],
    // The content security policy forbids data: scripts and styles.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The page has already loaded the files of the start, so chunks need not list them.
      resolveDependencies: (_, needed, { hostType }) =>
        hostType === 'html' ? needed : needed.filter((name) => !start.test(name)),
    },
    rolldownOptions: {
      // The home screen is an input, so that the bundler counts it as initial and the chunk "common" contains what the
      // first page needs.
      input: [here('index.html'), here('src/features/home/home-screen.tsx')],
      treeshake: { propertyReadSideEffects: false },
      output: {
        entryFileNames: `${hashed}.js`,
        chunkFileNames: `${hashed}.js`,
        assetFileNames: `${hashed}[extname]`,
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/](react|react-dom|react-router|scheduler|@tanstack)[\\/]/,
              tags: ['$initial'],
              priority: 2,
            },
            { name: 'signature', test: /src[\\/]wire[\\/]signature|node_modules[\\/]@noble[\\/]/, priority: 3 },
            { name: 'common', test: firstPage, tags: ['$initial'], priority: 2 },
            { name: 'browsing', test: browsing, priority: 2 },
            // Modules that screens with forms, lists or payments share, so that the first page does not load them.
            { name: 'forms', test: shared, minShareCount: 4, priority: 1 },
          ],
        },
      },
    },
  },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://shop.test/' } },
    setupFiles: ['./test/setup.ts'],
    css: false,
    // On a busy machine a test of an entire screen takes seconds.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    unstubGlobals: true,
    // A new jsdom page and freshly loaded modules for each test file would take more than twice as long as the tests
    // themselves. So most files share one page and its modules, in one worker. (They must share both: a module keeps
    // the window of the page in which it was loaded.) test/setup.ts cleans up after each test. vitest.pact.config.ts
    // runs src/contracts in Node.
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          isolate: false,
          maxWorkers: 1,
          sequence: { groupOrder: 0 }, // the files share a page only if no other project has the same order
          include: ['src/**/*.test.{ts,tsx}', 'test/**/*.test.{ts,tsx}'],
          exclude: ['src/contracts/**', ...ownPage],
        },
      },
      { extends: true, test: { name: 'own page', include: ownPage, sequence: { groupOrder: 1 } } },
    ],
  },
});
