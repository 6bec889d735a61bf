import { defineConfig } from 'vitest/config';

// The pictures of the user guide: `npm run shots` writes docs/images from the built window. `npm run build` comes first.
export default defineConfig({
  test: {
    include: ['tests/docs/**/*.ts'],
    globalSetup: ['tests/e2e/setup.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
