import { describe, expect, it } from 'vitest';
import { judge } from './planted.ts';
import { shells } from './shells.ts';

describe('shells', () => {
  it.each([
    ['exec', `import { exec } from 'node:child_process';`],
    ['execSync by namespace', `import * as childProcess from 'node:child_process'; childProcess.execSync('ls');`],
    ['a shell option', `import { spawn } from 'node:child_process'; spawn('ls', [], { shell: true });`],
    ['a shell option by name', `import { spawn } from 'node:child_process'; spawn('ls', [], { shell: '/bin/bash' });`],
    ['a shell program', `import { spawn } from 'node:child_process'; spawn('bash', ['-lc', 'ls']);`],
    ['a shell program in one list', `run(['/bin/sh', '-c', 'ls']);`],
  ])('refuses %s', (_what, text) => {
    expect(judge(shells, { 'packages/platform/src/a.ts': text })).toEqual([
      expect.stringContaining('packages/platform/src/a.ts:1'),
    ]);
  });

  it('allows the one shell, programs with lists of arguments, and patterns', () => {
    const files = {
      'packages/agent/src/execution/shell.ts': `import { spawn } from 'node:child_process'; spawn('/bin/bash', ['-c', 'ls']);`,
      'packages/platform/src/a.ts': `import { spawn } from 'node:child_process'; spawn('git', ['-c', 'a=b']); /a/.exec('a');`,
      'packages/platform/src/b.ts': `export const TOOLS = { shell: 'runs a command' };`,
    };
    expect(judge(shells, files)).toEqual([]);
  });
});
