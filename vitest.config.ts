import { availableParallelism, totalmem } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './tests/longest-first.ts';

/** Many tests wait for processes and timers, so twice as many workers as cores keep the cores busy; each takes up to a gigabyte. */
const workers = Math.max(2, Math.min(2 * availableParallelism(), Math.floor(totalmem() / 2 ** 30)));

/** Tests start many processes, and a fork copies the table of its parent's pages: a small young generation keeps that short. */
const SMALL_YOUNG_GENERATION = '--max-semi-space-size=4';

/** For tests that hang, not for tests that are slow: a loaded machine takes twenty times as long as a quiet one. */
const HANGS_MS = 15 * 60_000;

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.{ts,tsx}', 'tests/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/fixtures/**'],
    setupFiles: ['tests/fixed-seed.ts', 'tests/give-back.ts', 'tests/start-elsewhere.ts'],
    globalSetup: ['tests/temporary-folder.ts', 'packages/store/src/test-support/shared-postgres.ts'],
    pool: 'forks',
    isolate: false,
    // Node runs the sources as they are; to have them transformed for each worker took a quarter of the time.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    execArgv: [SMALL_YOUNG_GENERATION],
    sequence: { sequencer: LongestFirst },
    maxWorkers: workers,
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    expect: { poll: { timeout: HANGS_MS } },
  },
});
