import js from '@eslint/js';
import svelte from 'eslint-plugin-svelte';
import globals from 'globals';
import ts from 'typescript-eslint';
import svelteConfig from './svelte.config.js';

export default ts.config(
  { ignores: ['dist/', 'test-results/', 'node_modules/'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  { languageOptions: { globals: globals.browser } },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    rules: {
      'no-undef': 'off', // TypeScript does it
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // Words of videos and models are shown as text, never as markup.
      'svelte/no-at-html-tags': 'error',
      'svelte/require-each-key': 'error',
      'svelte/no-useless-mustaches': ['error', { ignoreIncludesComment: true, ignoreStringEscape: true }],
      // Maps that are filled once and never changed need not be reactive.
      'svelte/prefer-svelte-reactivity': 'off',
      'no-restricted-globals': ['error', { name: 'fetch', message: 'The window asks nothing of a network.' }],
    },
  },
  {
    // Only $lib/api speaks to the Go side.
    files: ['src/**/*.ts', 'src/**/*.svelte'],
    ignores: ['src/lib/api/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'window', property: 'go', message: 'Use $lib/api.' },
        { object: 'window', property: 'runtime', message: 'Use $lib/api.' },
      ],
    },
  },
  { files: ['tests/e2e/**'], languageOptions: { globals: globals.node }, rules: { 'no-restricted-globals': 'off' } },
);
