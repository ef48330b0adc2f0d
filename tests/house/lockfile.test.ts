import { describe, expect, it } from 'vitest';
import { lockfile } from './lockfile.ts';
import { judge } from './planted.ts';

describe('the lockfile', () => {
  it.each(['https://example.org/zod.tgz', 'git+ssh://git@example.org/zod.git', 'file:../zod.tgz'])(
    'must not record %s',
    (address) => {
      const text = JSON.stringify({ packages: { 'node_modules/zod': { resolved: address } } }, null, 2);
      expect(judge(lockfile, { 'package-lock.json': text })).toEqual([expect.stringContaining(address)]);
    },
  );

  it('must be there', () => {
    expect(judge(lockfile, { 'package.json': '{}' })).toEqual(['package-lock.json is missing']);
  });

  it('may link the packages of this repository', () => {
    const text = JSON.stringify(
      { packages: { 'node_modules/@attractor/llm': { resolved: 'packages/llm', link: true } } },
      null,
      2,
    );
    expect(judge(lockfile, { 'package-lock.json': text })).toEqual([]);
  });
});
