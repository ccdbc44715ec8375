import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { firstCalls } from './src/app/first-calls.ts';
import { routes } from './src/app/routes.ts';

type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string>; importedAssets: Set<string> } };

/** Compresses text files at build time, so that the server does not compress them for each request. */
export const compressed = () =>
  compression({ algorithms: ['gzip', 'brotliCompress'], include: /\.(js|css|svg)$/, threshold: 1024 });

/** Adds a chunk and everything that it needs to the found files: its styles, pictures and imports. */
function collect(bundle: Rolldown.OutputBundle, name: string, found = new Set<string>()): Set<string> {
  const chunk = bundle[name] as Chunk;
  if (found.has(name)) return found;
  found.add(name);
  for (const css of chunk.viteMetadata?.importedCss ?? []) found.add(css);
  for (const asset of chunk.viteMetadata?.importedAssets ?? []) found.add(asset);
  for (const imported of chunk.imports) collect(bundle, imported, found);
  return found;
}

const source = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

/**
 * The placeholder of a screen, a template of Go's html/template: what the page shows of the screen until the app has
 * started. A screen may have a template next to its file, with the same classes, if its page contains the first
 * picture. Otherwise the placeholder is the title and a skeleton. The server fills the template with `.picture`, the
 * address of the first picture; `.answer`, the answer that contains it; `.inApp`, whether the messaging app shows the
 * page; and `.simulated`, whether the shop is simulated. The function `positive` reports whether a number is above 0.
 */
function placeholderOf(screen: string, title: string): string {
  const skeleton = readFileSync(source('app/skeleton.gohtml'), 'utf8').replace('<!-- title -->', () => title);
  const own = source(`features/${screen}-placeholder.gohtml`);
  const inner = existsSync(own) ? `{{if .picture}}${readFileSync(own, 'utf8')}{{else}}${skeleton}{{end}}` : skeleton;
  const page = readFileSync(source('app/placeholder.gohtml'), 'utf8').replace('<!-- screen -->', () => inner);
  return page.replace(/\s*\n\s*/g, '\n');
}

/** Ranks the scripts of the start behind the first picture, which is painted before they have run. */
export const scriptsLast: Plugin = {
  name: 'scripts-last',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace(/(<script type="module"|<link rel="modulepreload")/g, '$1 fetchpriority="low"'),
  },
};

/**
 * Writes what is derived from the table of routes: routes.json, which tells the server the pages, the files that each
 * needs in addition to those of the start, their placeholders and first calls; and sw.js, the service worker with the
 * list of files that it keeps.
 */
export function routeManifest(): Plugin {
  const kept = new Set<string>();
  return {
    name: 'route-manifest',
    apply: 'build',
    generateBundle: {
      // By then Vite has removed the chunks that hold only styles.
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const chunkOf = (module: string) => {
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(module));
          return chunk ?? this.error(`no chunk holds ${module}`);
        };
        const unrouted = Object.keys(firstCalls).filter((path) => !routes.some((route) => route.path === path));
        if (unrouted.length > 0) this.error(`first calls of paths that are no routes: ${unrouted}`);
        const start = collect(bundle, chunkOf('/index.html').fileName);
        for (const file of start) kept.add(file);
        // From a page that starts offline, the links to other screens work offline, too.
        for (const file of collect(bundle, chunkOf('/src/app/screen-modules.ts').fileName)) kept.add(file);
        // An app that starts without a network stores tickets once it is back.
        for (const name of ['later', 'ticket-keeper'])
          for (const file of collect(bundle, chunkOf(`/src/app/${name}.ts`).fileName)) kept.add(file);
        const manifest = routes.map(({ path, screen, title, offline }) => {
          const own = chunkOf(`/src/features/${screen}-screen.tsx`);
          // The page links this file, and the app imports the screen from it.
          if (!own.exports.includes('default')) this.error(`the chunk of ${screen} does not export its screen`);
          const files = [...collect(bundle, own.fileName)].filter((file) => !start.has(file));
          if (offline) for (const file of files) kept.add(file);
          const linked = files.filter((file) => /\.(js|css)$/.test(file)).map((file) => `/${file}`);
          const calls = firstCalls[path] ?? [];
          const placeholder = placeholderOf(screen, title);
          return { path, script: `/${own.fileName}`, files: linked, placeholder, firstCalls: calls };
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
