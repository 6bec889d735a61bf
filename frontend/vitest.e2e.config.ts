import { defineConfig } from 'vitest/config';

// The built window in Chromium, over a fake of the Go side. `npm run build` comes first.
export default defineConfig({
  test: {
    include: ['tests/e2e/**/*.test.ts'],
    globalSetup: ['tests/e2e/setup.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
