import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

/** What three places use is one file: as forty it would be a third larger, each with a dictionary of its own. */
const SHARED = {
  name: 'shared',
  test: (id: string) =>
    /\/packages\/|lucide-react/.test(id) && !/markdown-body|syntax\.ts|setting-words|task-gone/.test(id),
  minShareCount: 3,
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), tailwindcss(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Everything is a file of ours: no inlined data addresses and no inline script, so that the policy can forbid them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: { groups: [SHARED] } } },
  },
});
