import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { childProcesses, STARTERS } from './child-processes.ts';
import { plant } from './planted.ts';
import { CHECKOUT, show } from './tree.ts';

const FILE = 'packages/platform/src/a.ts';
const GIVEN = { [FILE]: { variables: 'given', why: 'a test' } } as const;

function judge(text: string, starters: Parameters<typeof childProcesses>[1] = {}): string[] {
  return show(childProcesses(plant({ [FILE]: text }), starters));
}

describe('child processes', () => {
  it.each([
    ['by name', `import { spawn } from 'node:child_process'; spawn('ls', [], { env: {} });`],
    ['by another module name', `import { execFile } from 'child_process'; execFile('ls', [], { env: {} });`],
    ['by namespace', `import * as cp from 'node:child_process'; cp.fork('x', [], { env: {} });`],
    [
      'by the built-in',
      `const { spawn } = process.getBuiltinModule('node:child_process'); spawn('ls', [], { env: {} });`,
    ],
    ['by a lazy import', `const { spawn } = await import('@lydell/node-pty'); spawn('ls', [], { env: {} });`],
  ])('started in a file that nobody listed are found: %s', (_how, text) => {
    expect(judge(text)).toEqual([expect.stringContaining('add it to the list')]);
    expect(judge(text, GIVEN)).toEqual([]);
  });

  it('that would inherit our whole environment are found, and so is an entry that has no use', () => {
    const inheriting = `import { spawn } from 'node:child_process'; spawn('ls', [], { stdio: 'inherit' });`;
    expect(judge(inheriting, GIVEN)).toEqual([expect.stringContaining('not given')]);
    expect(judge(inheriting, { [FILE]: { variables: 'inherited', why: 'a test' } })).toEqual([]);
    expect(judge('export const a = 1;', GIVEN)).toEqual([expect.stringContaining('take it off')]);
  });

  it('have no entry for a file that is gone', () => {
    expect(Object.keys(STARTERS).filter((file) => !existsSync(join(CHECKOUT, file)))).toEqual([]);
  });
});
