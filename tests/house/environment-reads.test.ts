import { describe, expect, it } from 'vitest';
import { environmentReads } from './environment-reads.ts';
import { judge } from './planted.ts';

describe('reads of the environment', () => {
  it.each([
    ['directly', `export const f = () => process.env.KEY;`],
    ['by index', `export const f = () => process['env']['KEY'];`],
    ['by destructuring', `export const f = () => { const { env } = process; return env; };`],
    ['by import', `import { env } from 'node:process'; export const f = () => env.KEY;`],
  ])('are refused %s', (_how, text) => {
    expect(judge(environmentReads, { 'packages/agent/src/a.ts': text })).toEqual([
      expect.stringContaining('packages/agent/src/a.ts:1'),
    ]);
  });

  it('are allowed where a process is put together, and in tests', () => {
    const text = `export const f = () => process.env.KEY;`;
    const files = {
      'packages/server/src/compose.ts': text,
      'packages/cli/src/settings.ts': text,
      'packages/agent/src/a.test.ts': text,
    };
    expect(judge(environmentReads, files)).toEqual([]);
  });
});
