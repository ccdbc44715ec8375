import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { operationPaths } from './operation-paths.ts';
import { firstCalls } from './src/app/first-calls.ts';
import { routes } from './src/app/routes.ts';

type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string>; importedAssets: Set<string> } };

/** Compresses text files at build time, so that the server does not compress them for each request. */
export const compressed = () =>
  compression({ algorithms: ['gzip', 'brotliCompress'], include: /\.(js|css|svg)$/, threshold: 512 });

/**
 * Gives the scripts of the page a low priority, so that the browser loads the style sheets and the first picture before
 * them. The page shows a placeholder until the scripts are loaded.
 */
export const scriptsLast: Plugin = {
  name: 'scripts-last',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace(/(<script type="module"|<link rel="modulepreload")/g, '$1 fetchpriority="low"'),
  },
};

/**
 * Adds the file of a chunk to `found`, and the files that it needs: its styles, its pictures and the chunks that it
 * imports.
 */
function collect(bundle: Rolldown.OutputBundle, name: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[name] as Chunk;
  if (found.has(name)) return found;
  found.add(name);
  for (const css of chunk.viteMetadata?.importedCss ?? []) found.add(css);
  for (const asset of chunk.viteMetadata?.importedAssets ?? []) found.add(asset);
  for (const imported of chunk.imports) collect(bundle, imported, found);
  return found;
}

/**
 * Writes two files that are derived from the table of routes (src/app/routes.ts). routes.json, which the server reads,
 * has for each page its path, the files that it needs in addition to those of the start, its first calls, and whether
 * it is served when the shop is overloaded. sw.js is the service worker with the list of the files that it caches.
 */
export function routeManifest(): Plugin {
  const kept = new Set<string>();
  return {
    name: 'route-manifest',
    apply: 'build',
    generateBundle: {
      // Run after Vite's own plugins, which remove the chunks that contain only styles.
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const chunkOf = (module: string) => {
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
          return chunk ?? this.error(`no chunk holds ${module}`);
        };
        const start = collect(bundle, chunkOf('/index.html').fileName);
        for (const file of start) kept.add(file);
        // Cache the code that stores tickets too, so that an app that started without a network can store tickets when
        // the network is back.
        for (const name of ['later', 'ticket-keeper'])
          for (const file of collect(bundle, chunkOf(`/src/app/${name}.ts`).fileName)) kept.add(file);
        const paths = operationPaths();
        const manifest = routes.map(({ path, screen, offline, pays }) => {
          const own = chunkOf(`/src/features/${screen}-screen.tsx`);
          const files = [...collect(bundle, own.fileName)].filter((file) => !start.has(file));
          if (offline) for (const file of files) kept.add(file);
          return {
            path,
            files: files.filter((file) => /\.(js|css)$/.test(file)).map((file) => `/${file}`),
            pays,
            first: firstCalls[path]?.map(({ call, ...rest }) => ({ path: paths.get(call), ...rest })),
          };
        });
        this.emitFile({ type: 'asset', fileName: 'routes.json', source: JSON.stringify(manifest) });
      },
    },
    async writeBundle({ dir }) {
      // File names contain a hash of the content, so they need no revision.
      const files = [...kept].sort().map((file) => ({ url: `/${file}`, revision: null }));
      await build({
        configFile: false,
        publicDir: false,
        logLevel: 'error',
        plugins: [compressed()],
        define: { 'self.__WB_MANIFEST': JSON.stringify(files) },
        build: {
          outDir: dir as string,
          emptyOutDir: false,
          license: { fileName: 'licenses/service-worker.json' },
          target: ['es2022', 'chrome107', 'safari16'],
          rolldownOptions: {
            input: fileURLToPath(new URL('service-worker.js', import.meta.url)),
            output: { format: 'iife', entryFileNames: 'sw.js' },
          },
        },
      });
    },
  };
}
