import { expect, it } from 'vitest';
import { MOST_LINES, packageSizes } from './package-sizes.ts';
import { judge } from './planted.ts';

const half = 'export {};\n'.repeat(MOST_LINES / 2);

it('refuses a package with a line of source too many, and counts no tests', () => {
  const files = { 'packages/a/src/a.ts': half, 'packages/a/src/b.ts': half, 'packages/a/src/a.test.ts': half };
  expect(judge(packageSizes, files)).toEqual([]);
  expect(judge(packageSizes, { ...files, 'packages/a/src/c.ts': 'export {};\n' })).toEqual([
    expect.stringContaining(`${MOST_LINES + 1} lines`),
  ]);
});
