import { describe, expect, it } from 'vitest';
import { forbiddenWords } from './forbidden-words.ts';
import { judge } from './planted.ts';

describe('forbidden words', () => {
  it.each(['src/utils.ts', 'packages/llm/src/retry-helpers.ts', 'src/common/a.ts', 'src/task.manager.ts', 'core/a.md'])(
    'refuses the name %s',
    (file) => {
      expect(judge(forbiddenWords, { [file]: '' })).toEqual([expect.stringContaining(file)]);
    },
  );

  it.each([
    ['work left for later', `// TO${'DO'}: later`],
    ['a folder of one machine', `const a = '/wor${'k'}/main/a';`],
    ['the home of one person', `const a = '/home/${'jane'}/a';`],
    ['a registry', `https://regis${'try'}.example.org/a`],
    ['a suppressed rule', `// oxlint-${'disable'}-next-line`],
    ['a suppressed type error', `// @ts-${'ignore'}`],
    ['an expected type error in the product', `// @ts-expect-${'error'}`],
  ])('refuses %s', (_what, line) => {
    expect(judge(forbiddenWords, { 'packages/llm/src/a.ts': `\n${line}\n` })).toEqual([
      expect.stringContaining('packages/llm/src/a.ts:2'),
    ]);
  });

  it('allows names and words that only look alike', () => {
    const files = {
      'packages/platform/src/score.ts': `export const todo = 'in ~/network/work/a';`,
      'packages/agent/src/hardcore-mode.ts': '',
    };
    expect(judge(forbiddenWords, files)).toEqual([]);
  });
});
