import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.{ts,tsx}', 'tests/**/*.test.ts', 'scripts/**/*.test.{ts,mjs}'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/fixtures/**'],
    setupFiles: ['tests/fixed-seed.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
