import parser from '@typescript-eslint/parser';
import reactHooks from 'eslint-plugin-react-hooks';

/** ESLint checks only the rules of React and of its compiler. Biome checks everything else. */
export default [
  { ignores: ['**/generated/'] },
  {
    files: ['src/**/*.{ts,tsx}'],
    languageOptions: { parser },
    plugins: { 'react-hooks': reactHooks },
    rules: {
      ...reactHooks.configs.recommended.rules,
      // Biome's useExhaustiveDependencies reports the same mistakes.
      'react-hooks/exhaustive-deps': 'off',
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
  },
];
