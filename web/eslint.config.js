import reactHooks from 'eslint-plugin-react-hooks';
import parser from './eslint-parser.js';

/** Biome lints everything; this adds the rules of React and its compiler, which only their own plugin knows. */
export default [
  {
    files: ['src/**/*.{ts,tsx}'],
    languageOptions: { parser },
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      // Biome's useExhaustiveDependencies says the same.
      'react-hooks/exhaustive-deps': 'off',
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
];
