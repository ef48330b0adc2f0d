import { describe, expect, it } from 'vitest';
import { dependencyList } from './dependency-list.ts';
import { judge } from './planted.ts';

const ROOT = { 'package.json': '{ "devDependencies": { "zod": "4.0.0" } }' };
const LLM = { 'packages/llm/package.json': '{ "dependencies": { "zod": "4.0.0", "@attractor/agent": "*" } }' };

const comparing = (rows: string, manifests: Record<string, string>) =>
  judge(dependencyList, {
    ...manifests,
    'docs/decisions/dependencies.md': `| name | version | where | why |\n|---|---|---|---|\n${rows}\n`,
  });

describe('the list of dependencies', () => {
  it('agrees with the manifests', () => {
    expect(comparing('| `zod` | 4.0.0 | root, llm | checks shapes |', { ...ROOT, ...LLM })).toEqual([]);
  });

  it.each([
    ['a dependency that is not listed', '', ROOT, 'uses zod@4.0.0 in root'],
    ['another version', '| `zod` | 4.0.1 | root | checks shapes |', ROOT, 'lists zod@4.0.1 in root'],
    ['another place', '| `zod` | 4.0.0 | root | checks shapes |', { ...ROOT, ...LLM }, 'uses zod@4.0.0 in llm'],
    ['a row that is left over', '| `zod` | 4.0.0 | root, llm | checks shapes |', ROOT, 'lists zod@4.0.0 in llm'],
    ['a row without a reason', '| `zod` | 4.0.0 | root |  |', ROOT, 'does not say why zod@4.0.0'],
  ])('shows %s', (_what, rows, manifests, expected) => {
    expect(comparing(rows, manifests)).toContainEqual(expect.stringContaining(expected));
  });
});
