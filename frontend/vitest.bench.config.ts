import { defineConfig } from 'vitest/config';

// Figures of the window in Chromium: `npm run bench` prints them and asserts none. `npm run build` comes first.
export default defineConfig({
  test: {
    include: ['tests/bench/**/*.ts'],
    globalSetup: ['tests/e2e/setup.ts'],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});
