import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { LONG_FILES } from './longest-first.ts';

it('the files that start first are there, each named once', () => {
  const root = join(import.meta.dirname, '..');
  expect(LONG_FILES.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  expect(new Set(LONG_FILES).size).toBe(LONG_FILES.length);
});
