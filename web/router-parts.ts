import { fileURLToPath } from 'node:url';
import react from 'react';
import { build, type Plugin, type Rolldown } from 'vite';

/** The names that the app imports from react-router. The build fails if one is missing here. */
const names = [
  'BrowserRouter',
  'Navigate',
  'Outlet',
  'Route',
  'Routes',
  'useHref',
  'useLinkClickHandler',
  'useLocation',
  'useNavigate',
  'useNavigationType',
  'useSearchParams',
];

/** By default browsers get the package's development build, with checks and warnings. This one has the same exports. */
const production = fileURLToPath(new URL('../node_modules/react-router/dist/production/index.mjs', import.meta.url));

/** The id of the module that replaces react-router. */
const parts = '\0router-parts';

/** The part of react-router that the app gets. */
const entry = `export { ${names} } from ${JSON.stringify(production)};`;

/** React exports that are free of side effects. */
const makers = ['createContext', 'forwardRef'];

/** React for the router, with the makers marked as pure: the bundler may then drop unused components and contexts. */
const markedReact = `
  import * as React from 'react/external';
  ${makers.map((name) => `/* @__NO_SIDE_EFFECTS__ */ export function ${name}(it) { return React.${name}(it); }`).join('\n')}
  export { default, ${Object.keys(react).filter((name) => !makers.includes(name))} } from 'react/external';
`;

/** The source text of generated modules, by id. */
const texts: Record<string, string> = { entry, react: markedReact };

/**
 * Bundles the used parts of react-router separately, and imports that bundle in its place. The package names each
 * component for developer tools (`Form.displayName = …`), and such a write keeps an unused component in the build. In
 * this bundle, writes to unused objects may be dropped. For other packages that option is unsafe: it drops calls of
 * functions that only write properties, which @use-gesture needs. The package's files are not changed.
 */
export function routerParts(): Plugin {
  return {
    name: 'router-parts',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id === 'react-router' ? parts : undefined),
    async load(id) {
      if (id !== parts) return undefined;
      const texted: Plugin = {
        name: 'texts',
        enforce: 'pre',
        resolveId(wanted) {
          if (wanted === 'react/external') return { id: 'react', external: true };
          return wanted in texts ? `\0${wanted}` : undefined;
        },
        load: (wanted) => texts[wanted.slice(1)],
      };
      const { output } = (await build({
        configFile: false,
        publicDir: false,
        logLevel: 'error',
        plugins: [texted],
        build: {
          write: false,
          minify: false,
          target: 'esnext',
          rolldownOptions: {
            input: 'entry',
            external: ['react-dom'],
            preserveEntrySignatures: 'strict',
            treeshake: { propertyReadSideEffects: false, propertyWriteSideEffects: false },
          },
        },
      })) as Rolldown.RolldownOutput;
      return output[0].code;
    },
  };
}
