import { describe, expect, it } from 'vitest';
import { judge } from './planted.ts';
import { terminalWrites } from './terminal-writes.ts';

describe('terminal writes', () => {
  it.each([
    ['a stream', `export const say = (text: string) => process.stderr.write(text);`],
    ['a stream by index', `export const say = (text: string) => process['stdout'].write(text);`],
    ['a pipe into a stream', `export const say = (from: any) => from.pipe(1) && process.stdout.end('x');`],
    ['a stream under another name', `const { stdout } = process; export const say = () => stdout.write('x');`],
    ['a stream that is imported', `import { stdout } from 'node:process'; stdout.write('x');`],
    ['the console', `export const say = (text: string) => console.log(text);`],
    ['a descriptor', `import { writeSync } from 'node:fs'; export const say = () => writeSync(2, 'x');`],
    ['a child', `import { spawn } from 'node:child_process'; spawn('git', [], { stdio: 'inherit' });`],
    [
      'a child that inherits one',
      `import { spawn } from 'node:child_process'; spawn('a', [], { stdio: ['pipe', 'inherit'] });`,
    ],
    ['a question', `export const ask = async () => (await import('@clack/prompts')).text({ message: 'x' });`],
  ])('refuses %s', (_what, text) => {
    expect(judge(terminalWrites, { 'packages/cli/src/a.ts': text })).toEqual([
      expect.stringContaining('packages/cli/src/a.ts:1'),
    ]);
  });

  it('allows the boundary itself, and what goes through it', () => {
    const files = {
      'packages/console/src/terminal/put.ts': `export const putText = (text: string) => process.stdout.write(text);`,
      'packages/console/src/terminal/questions.ts': `export const ask = async () => import('@clack/prompts');`,
      'packages/cli/src/a.ts': `import { putText } from './terminal/put.ts'; putText(process.stdout, 'x'); process.stdout.isTTY;`,
      'packages/platform/src/b.ts': `import { spawn } from 'node:child_process'; spawn('git', [], { stdio: ['ignore', 'pipe'] });`,
    };
    expect(judge(terminalWrites, files)).toEqual([]);
  });
});
