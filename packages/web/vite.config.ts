import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { onlyLexer } from './only-lexer.ts';
import { precompress } from './precompress.ts';

/** Several places use these, and most do not: a change with its review, tables, what stands over a page. */
const OF_FEW =
  /web\/src\/diff\/|shown\/(?:changed-lines|graph-layout|line-comments|main-path|pipeline-edit|unfolded|word-marks)|waiting\/decisions|review-decision|whole-review|ui\/(?:table|overlay|segments)|checks-line|markdown-body|syntax\.ts|setting-words|task-gone/;

/** What four places use is one file: as forty it would be a third larger, each with a dictionary of its own. */
const SHARED = {
  name: 'shared',
  test: (id: string) => /\/packages\/|lucide-react/.test(id) && !OF_FEW.test(id),
  minShareCount: 4,
};

/** What tasks and runs are drawn of is one file for the same reason. */
const OF_RUNS = {
  name: 'of-runs',
  test: /web\/src\/(?:run\/(?:transcript|tool-call|tools|step-elsewhere|use-step)|data\/task-world|ui\/tabs)/,
  minShareCount: 2,
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), onlyLexer(), tailwindcss(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // Everything is a file of ours: no inlined data addresses and no inline script, so that the policy can forbid them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600,
    rolldownOptions: { output: { codeSplitting: { groups: [SHARED, OF_RUNS] } } },
  },
});
