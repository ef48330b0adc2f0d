import { describe, expect, it } from 'vitest';
import { importDirection } from './import-direction.ts';
import { judge } from './planted.ts';

const importing = (file: string, text: string) => judge(importDirection, { [file]: text });

describe('import direction', () => {
  it.each([
    ['up', 'packages/llm/src/a.ts', `import { x } from '@attractor/agent';`],
    ['sideways', 'packages/adapters/src/a.ts', `export * from '@attractor/executor';`],
    ['up in a type', 'packages/llm/src/a.ts', `type A = import('@attractor/agent').A;`],
    ['up on demand', 'packages/agent/src/a.ts', `export const load = () => import('@attractor/platform');`],
    ['up in a test', 'packages/llm/src/a.test.ts', `import { x } from '@attractor/agent';`],
    ['from web past api', 'packages/web/src/a.tsx', `import type { X } from '@attractor/platform';`],
    ['a value into api', 'packages/api/src/a.ts', `import { type X, y } from '@attractor/platform';`],
    ['the simulator into a product', 'packages/server/src/a.ts', `import { x } from '@attractor/simulator';`],
    ['ours into the simulator', 'packages/simulator/src/a.ts', `import type { X } from '@attractor/llm';`],
    ['into floor zero', 'packages/base/src/a.ts', `import type { X } from '@attractor/llm';`],
    ['floor zero into the simulator', 'packages/simulator/src/a.ts', `import { x } from '@attractor/base';`],
    ['a package that is not there', 'packages/cli/src/a.ts', `import { x } from '@attractor/nothing';`],
    ['a package without a floor', 'packages/attic/src/a.ts', `import { x } from '@attractor/llm';`],
    ['up in a manifest', 'packages/llm/package.json', `{ "dependencies": { "@attractor/cli": "*" } }`],
  ])('refuses an import %s', (_what, file, text) => {
    expect(importing(file, text)).toEqual([expect.stringContaining(file)]);
  });

  it.each([
    ['down', 'packages/agent/src/a.ts', `import { x } from '@attractor/llm';`],
    ['floor zero into llm', 'packages/llm/src/a.ts', `import { x } from '@attractor/base';`],
    ['floor zero into api', 'packages/api/src/a.ts', `import { x } from '@attractor/base';`],
    ['floor zero into web', 'packages/web/src/a.tsx', `import { x } from '@attractor/base';`],
    ['types from below into api', 'packages/api/src/a.ts', `import type { X } from '@attractor/platform';`],
    [
      'api into web',
      'packages/web/src/a.tsx',
      `import { x } from '@attractor/api'; export const A = () => <b>{x}</b>;`,
    ],
    ['the simulator into the command', 'packages/cli/src/a.ts', `import { x } from '@attractor/simulator';`],
    ['the simulator into a test', 'packages/llm/src/a.test.ts', `import { x } from '@attractor/simulator';`],
    [
      'anything into a walk',
      'tests/walks/a.test.ts',
      `import { x } from '@attractor/simulator'; import '@attractor/cli';`,
    ],
  ])('allows an import %s', (_what, file, text) => {
    expect(importing(file, text)).toEqual([]);
  });
});
