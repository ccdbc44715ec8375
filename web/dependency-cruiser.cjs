/** The arrows of the web app: app -> features -> {ui, api}. */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'features-stay-apart',
      comment: 'What two features share belongs to ui or api.',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/' },
      to: { path: '^src/features/', pathNot: '^src/features/$1/' },
    },
    { name: 'features-below-app', severity: 'error', from: { path: '^src/features/' }, to: { path: '^src/app/' } },
    { name: 'api-is-a-leaf', severity: 'error', from: { path: '^src/api/' }, to: { path: '^src/(app|features|ui)/' } },
    {
      name: 'ui-knows-nothing',
      comment: 'The kit knows no shop, no router and no query.',
      severity: 'error',
      from: { path: '^src/ui/' },
      to: { path: ['^src/(app|features|api)/', 'node_modules/(react-router|@tanstack|zod)/'] },
    },
    {
      name: 'console-stands-alone',
      comment: "The simulators' console is no part of the shop: the kit is all they share.",
      severity: 'error',
      from: { path: '^src/console/' },
      to: { path: '^src/', pathNot: '^src/(console|ui)/' },
    },
    {
      name: 'nothing-of-the-console',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/console/' },
      to: { path: '^src/console/' },
    },
    {
      name: 'shapes-without-zod',
      comment: 'api/shape does the same in a tenth of the size.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.tsx?$' },
      to: { path: 'node_modules/zod/' },
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
