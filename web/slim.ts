import type { Plugin } from 'vite';

type Edit = [from: RegExp, to: string];

/**
 * What the build takes out of libraries that tie what nobody uses to what everybody loads. The app itself and its tests see
 * the libraries whole, so every edit is either of parts that the app has no way to reach or guarded by `unused`. An edit that
 * finds nothing stops the build: a new release of a library wants to be looked at again.
 */
const edits: { file: RegExp; edits: Edit[] }[] = [
  {
    file: /react-router[\\/]dist[\\/]production[\\/]chunk-7RTFRKQW\.mjs$/,
    edits: [
      [/^\w+\.displayName = "\w+";$/gm, ''],
      [/= (React\d*\.(?:forwardRef|createContext|memo)\()/g, '= /* @__PURE__ */ $1'],
      // What these two say is for the developer, who runs the whole router.
      [/^function (?=(?:warning|warningOnce|invariant)\()/gm, '/* @__NO_SIDE_EFFECTS__ */ function '],
      // Routes and links of a data router or of the framework; this app has a plain <BrowserRouter>.
      [/let dataRouterState = dataRouterOpts\?\.state;/, 'const dataRouterState = void 0;'],
      [/^RenderErrorBoundary\.contextType = RSCRouterContext;$/m, ''],
      [/return isDataRoute \? useNavigateStable\(\) : useNavigateUnstable\(\)/, 'return useNavigateUnstable()'],
      [/= usePrefetchBehavior\(\s*prefetch,\s*rest\s*\);(?=\s*let internalOnClick)/, '= [false, null, {}];'],
      [
        /return shouldPrefetch && !isAbsolute \? .* : link;(?=\s*\}\s*\);\s*(?:Link\.displayName|var NavLink))/,
        'return link;',
      ],
    ],
  },
  {
    file: /query-core[\\/]build[\\/]modern[\\/]queryClient\.js$/,
    // Actions are plain calls of the api here; see `unused`.
    edits: [
      [/new MutationCache\(\)/, '{ clear() {}, findAll: () => [], resumePausedMutations: () => Promise.resolve() }'],
    ],
  },
];

/** Modules that must not come into the build, since they need what was taken out. */
const unused = /react-query[\\/]build[\\/]modern[\\/](?:useMutation|useMutationState|useIsMutating)\.js$/;

export function slim(): Plugin {
  const seen = new Set<string>();
  return {
    name: 'slim',
    apply: 'build',
    transform: {
      filter: { id: edits.map(({ file }) => file) },
      handler(code, id) {
        seen.add(id);
        for (const [from, to] of edits.find(({ file }) => file.test(id))?.edits ?? []) {
          if (code.search(from) < 0) this.error(`${id} has changed: ${from} matches nothing`);
          code = code.replace(from, to);
        }
        return { code, map: null };
      },
    },
    generateBundle(_, bundle) {
      const missed = edits.find(({ file }) => ![...seen].some((id) => file.test(id)));
      if (missed) this.error(`no module is called ${missed.file} any more`);
      for (const file of Object.values(bundle)) {
        const broken = file.type === 'chunk' && file.moduleIds.find((id) => unused.test(id));
        if (broken) this.error(`${broken} needs what web/slim.ts takes out`);
      }
    },
  };
}
