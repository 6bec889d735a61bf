import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const path = (p: string) => fileURLToPath(new URL(p, import.meta.url));

// `vite --mode fake` serves the window in a browser: the same code, over a fake of the Go services.
export default defineConfig(({ mode }) => ({
  plugins: [
    svelte(),
    {
      name: 'fake-services',
      transformIndexHtml: () =>
        mode === 'fake'
          ? [{ tag: 'script', attrs: { type: 'module', src: '/tests/fake/main.ts' }, injectTo: 'head' as const }]
          : [],
    },
  ],
  server: { fs: { allow: ['..'] } }, // the guide's pages stand in docs
  resolve: { alias: { $lib: path('./src/lib'), $parts: path('./src/parts') } },
  build: {
    target: 'es2022',
    // dist holds a file of the repository, and names without a hash leave no old files behind.
    emptyOutDir: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rollupOptions: { output: { entryFileNames: 'assets/[name].js', assetFileNames: 'assets/[name][extname]' } },
  },
  test: { include: ['tests/unit/**/*.test.ts'] },
}));
