import { describe, expect, it } from 'vitest';
import { oneVersion } from './one-version.ts';
import { judge } from './planted.ts';

const of = (version: string, more: object = {}) => JSON.stringify({ version, ...more });
const TREE = {
  'package.json': of('1.2.3'),
  'packages/llm/package.json': of('1.2.3'),
  'package-lock.json': of('1.2.3', {
    packages: {
      '': { version: '1.2.3' },
      'packages/llm': { version: '1.2.3' },
      'node_modules/zod': { version: '4.0.0' },
    },
  }),
  'CHANGELOG.md': '# Changes\n\n## 1.2.3 - 2026-01-01\n',
};

describe('one version', () => {
  it('is accepted where all packages, the lockfile and the changes agree, whatever the dependencies have', () => {
    expect(judge(oneVersion, TREE)).toEqual([]);
  });

  it.each([
    ['package', 'packages/llm/package.json', of('1.2.2')],
    ['package without a version', 'packages/llm/package.json', '{}'],
    ['lockfile', 'package-lock.json', of('1.2.2', { packages: {} })],
    [
      'package in the lockfile',
      'package-lock.json',
      of('1.2.3', { packages: { 'packages/llm': { version: '1.2.2' } } }),
    ],
    ['list of changes', 'CHANGELOG.md', '# Changes\n\n## 1.2.2 - 2026-01-01\n'],
  ])('is refused when a %s tells another', (_what, file, text) => {
    expect(judge(oneVersion, { ...TREE, [file]: text })).toEqual([expect.stringContaining(file)]);
  });
});
