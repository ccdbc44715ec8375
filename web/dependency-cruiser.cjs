/**
 * The import rules of the web app: app -> features -> pay -> shop -> session -> wire, and each of them may use ui.
 * A layer imports those to its right only.
 */
const layers = ['app', 'features', 'pay', 'shop', 'session', 'wire'];

/** A layer imports none of the layers before it in the list. */
const layerRules = layers.slice(1).map((layer, i) => ({
  name: `${layer}-imports-downwards`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: { path: `^src/(${layers.slice(0, i + 1).join('|')})/` },
}));

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    ...layerRules,
    {
      name: 'features-stay-apart',
      comment: 'What two features share belongs to a lower layer.',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    {
      name: 'ui-is-generic',
      comment: 'The component kit imports no other layer, no router, no query cache and no wire schema.',
      severity: 'error',
      from: { path: '^src/ui/' },
      to: { path: [`^src/(${layers.join('|')})/`, 'node_modules/(react-router|@tanstack|valibot)/'] },
    },
    {
      name: 'wire-has-no-screens',
      comment: 'The wire client knows no router, no query cache and no component.',
      severity: 'error',
      from: { path: '^src/wire/', pathNot: '\\.test\\.tsx?$' },
      to: { path: ['^src/ui/', 'node_modules/(react-router|@tanstack)/'] },
    },
    {
      name: 'console-stands-alone',
      comment: "The simulators' console shares only the component kit with the shop.",
      severity: 'error',
      from: { path: '^src/console/' },
      to: { path: '^src/', pathNot: '^src/(console|ui)/' },
    },
    {
      name: 'shop-without-console',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/console/' },
      to: { path: '^src/console/' },
    },
    {
      name: 'tests-stay-outside',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: ['^test/', '\\.test\\.tsx?$', 'node_modules/(msw|vitest|@testing-library)/'] },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true, pathNot: '\\.css$' } },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.css'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'browser', 'default'],
    },
  },
};
