import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rolldown } from 'vite';

const source = fileURLToPath(new URL('service-worker.js', import.meta.url));

/** Screens that must come up without a network: the start, and an order with its ticket. */
const screens = /features\/(home\/home-screen|orders\/ticket-order-screen|orders\/orders-screen)\.tsx$/;

type Bundle = Rolldown.OutputBundle;
type Chunk = Rolldown.OutputChunk & { viteMetadata?: { importedCss: Set<string> } };

/** A chunk and what it needs before it runs, styles included. */
function closure(bundle: Bundle, name: string, found: Set<string>): void {
  const file = bundle[name];
  if (found.has(name) || file?.type !== 'chunk') return;
  found.add(name);
  for (const css of (file as Chunk).viteMetadata?.importedCss ?? []) found.add(css);
  for (const next of file.imports) closure(bundle, next, found);
}

const table = fileURLToPath(new URL('src/app/routes.ts', import.meta.url));

/** Which screen stands at which path, as the table of routes has it. */
function screensByPath(): Map<string, string> {
  const found = new Map<string, string>();
  const row = /path: '([^']+)'[^}]*?import\('\.\.\/(features\/[^']+)'\)/g;
  for (const [, path = '', module = ''] of readFileSync(table, 'utf8').matchAll(row)) found.set(path, module);
  return found;
}

/** Writes routes.json: the files of each route's screen, which the server names in its page ahead of their use. */
export function routeFiles(): Plugin {
  return {
    name: 'route-files',
    apply: 'build',
    generateBundle: {
      // After the chunks that hold nothing but styles were taken out again.
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const start = new Set<string>();
        for (const chunk of chunks) if (chunk.isEntry) closure(bundle, chunk.fileName, start);
        const routes: Record<string, string[]> = {};
        for (const [path, module] of screensByPath()) {
          const screen = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${module}.tsx`));
          if (!screen) this.error(`the screen of ${path} has no chunk`);
          const files = new Set<string>();
          closure(bundle, screen.fileName, files);
          routes[path] = [...files].filter((name) => !start.has(name)).map((name) => `/${name}`);
        }
        if (Object.keys(routes).length < 10) this.error('the table of routes reads differently now');
        this.emitFile({ type: 'asset', fileName: 'routes.json', source: JSON.stringify(routes) });
      },
    },
  };
}

/** Writes sw.js: the worker with the list of what it keeps from the start. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const shell = new Set<string>();
        for (const file of Object.values(bundle)) {
          if (file.type !== 'chunk') continue;
          if (file.isEntry || screens.test(file.facadeModuleId ?? '')) closure(bundle, file.fileName, shell);
        }
        const files = [...shell].sort().map((name) => `/${name}`);
        // The names carry the hashes of all that is in them.
        const all = Object.keys(bundle).sort().join();
        const version = `marquee-${createHash('sha256').update(all).digest('hex').slice(0, 12)}`;
        const text = readFileSync(source, 'utf8');
        if (files.length < 5) this.error('the shell has no screens: were they renamed?');
        this.emitFile({
          type: 'asset',
          fileName: 'sw.js',
          source: text.replace('__VERSION__', version).replace('__SHELL__', JSON.stringify(files)),
        });
      },
    },
  };
}
