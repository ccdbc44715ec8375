import { fileURLToPath } from 'node:url';
import react from 'react';
import { build, type Plugin, type Rolldown } from 'vite';

/** What the app imports of react-router. The build fails on a name that is missing here. */
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

/** The package offers browsers its development build, with checks and warnings. This one exports the same names. */
const production = fileURLToPath(new URL('../node_modules/react-router/dist/production/index.mjs', import.meta.url));

/** The id of the module that takes the place of react-router. */
const parts = '\0router-parts';

/** What the app gets of react-router. */
const entry = `export { ${names} } from ${JSON.stringify(production)};`;

/** The exports of React that make something without an effect of their own. */
const makers = ['createContext', 'forwardRef'];

/** React for the router, with the makers marked: a component or context that is not used may be left out. */
const markedReact = `
  import * as React from 'react/external';
  ${makers.map((name) => `/* @__NO_SIDE_EFFECTS__ */ export function ${name}(it) { return React.${name}(it); }`).join('\n')}
  export { default, ${Object.keys(react).filter((name) => !makers.includes(name))} } from 'react/external';
`;

/** The modules of the bundle that are texts, by id. */
const texts: Record<string, string> = { entry, react: markedReact };

/**
 * Bundles the used names of react-router on their own and gives them to the app. The package names each component for
 * developer tools (`Form.displayName = …`), and such a write keeps an unused component in the build. Here the bundler
 * may drop writes to unused objects. With other packages that option is unsafe: it drops calls of functions that only
 * write properties, as @use-gesture has them. The files of the package stay as they are.
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
