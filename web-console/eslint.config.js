import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'shots/', 'test-results/', 'src/api/schema.ts', 'public/'] },
  ...tseslint.configs.strict,
  reactHooks.configs.flat.recommended,
  {
    rules: {
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      // Secrets must not outlive the page, and preferences have one door: lib/prefs.ts.
      'no-restricted-globals': ['error', 'localStorage', 'sessionStorage'],
      'no-restricted-syntax': [
        'error',
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Markup from data is refused.' },
      ],
      '@typescript-eslint/no-non-null-assertion': 'error',
    },
  },
  { files: ['src/lib/prefs.ts', 'e2e/**', '**/*.test.tsx'], rules: { 'no-restricted-globals': 'off' } },
  // Playwright's fixtures call their argument `use`.
  { files: ['e2e/**'], rules: { 'react-hooks/rules-of-hooks': 'off' } },
  { files: ['scripts/**'], rules: { 'no-console': 'off' } },
);
