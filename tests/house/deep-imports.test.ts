import { describe, expect, it } from 'vitest';
import { deepImports } from './deep-imports.ts';
import { judge } from './planted.ts';

const LLM = {
  'packages/llm/package.json': `{ "name": "@attractor/llm", "exports": { ".": "./src/index.ts", "./rates": "./src/rates.ts" } }`,
};

const importing = (file: string, text: string) => judge(deepImports, { ...LLM, [file]: text });

describe('deep imports', () => {
  it.each([
    ['a path in its name', 'packages/agent/src/a.ts', `import { x } from '@attractor/llm/src/client.ts';`],
    ['a relative path', 'packages/agent/src/a.ts', `import { x } from '../../llm/src/client.ts';`],
    ['a relative path from a walk', 'tests/walks/a.test.ts', `import { x } from '../../packages/llm/src/client.ts';`],
    ['a dynamic import', 'bench/a.ts', `await import('../packages/llm/src/client.ts');`],
    ['its own name', 'packages/llm/src/a.ts', `import { x } from '@attractor/llm';`],
  ])('refuses to enter a package by %s', (_how, file, text) => {
    expect(importing(file, text)).toEqual([expect.stringContaining(`${file}:1`)]);
  });

  it.each([
    ['its main door', 'packages/agent/src/a.ts', `import { x } from '@attractor/llm';`],
    ['another door', 'packages/agent/src/a.ts', `import { x } from '@attractor/llm/rates';`],
    ['a relative path inside it', 'packages/llm/src/a/b.ts', `import { x } from '../client.ts';`],
  ])('allows to enter a package by %s', (_how, file, text) => {
    expect(importing(file, text)).toEqual([]);
  });
});
