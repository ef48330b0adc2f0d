import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../../execution/local.ts';
import { makeFolder } from '@attractor/base/testing';
import { applyPatchExecutor } from '../apply-patch.ts';

/* A scenario is a folder: `input`, `patch.txt` and `expected`; `refusal.txt` holds words that the error must contain. */
const FIXTURES = path.join(import.meta.dirname, 'fixtures');

const filesBelow = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(folder, file), readFileSync(file, 'latin1')] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );

describe('scenarios of apply_patch', () => {
  it.each(readdirSync(FIXTURES))('%s', async (name) => {
    const scenario = path.join(FIXTURES, name);
    const root = makeFolder();
    cpSync(path.join(scenario, 'input'), root, { recursive: true });
    const env = createLocalExecutionEnvironment(root);

    const answer = await applyPatchExecutor({ patch: readFileSync(path.join(scenario, 'patch.txt'), 'utf8') }, env);

    const result = typeof answer === 'string' ? { output: answer, isError: false } : answer;
    const refusal = path.join(scenario, 'refusal.txt');
    if (existsSync(refusal)) {
      expect(result).toMatchObject({
        isError: true,
        output: expect.stringContaining(readFileSync(refusal, 'utf8').trim()),
      });
    } else {
      expect(result).toMatchObject({ isError: false });
    }
    const expected = filesBelow(path.join(scenario, 'expected'));
    expect(filesBelow(root)).toEqual({
      ...(existsSync(path.join(scenario, 'input/.keep')) ? { '.keep': '' } : {}),
      ...expected,
    });
  });
});
