import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { wrappedLine } from './wrapped-line.ts';

const QUOTED = [
  [`/bin/bash -lc "cat '/tmp/a b.txt'"`, `cat '/tmp/a b.txt'`],
  [`bash -lc 'echo "it'"'"'s" | wc -l'`, `echo "it's" | wc -l`],
  ['/usr/bin/zsh -c pwd', 'pwd'],
  [String.raw`/bin/bash -lc "echo \"\$HOME\" \\n"`, String.raw`echo "$HOME" \n`],
  ["/bin/bash -lc 'cat safe.txt && rm -rf x'", 'cat safe.txt && rm -rf x'],
] as const;

it.each(QUOTED)('%s is the command %s, as a shell reads it', (command, meant) => {
  expect(wrappedLine(command)).toBe(meant);
  const [, word = ''] = / -l?c ([^]+)$/.exec(command) ?? [];
  expect(execFileSync('/bin/bash', ['-c', `printf %s ${word}`], { encoding: 'utf8' })).toBe(meant);
});

it.each([
  '/bin/bash -lc "echo $(id)"',
  '/bin/bash -lc "cat a" b',
  "bash -lc 'cat a'; id",
  '/bin/bash -lc cat a',
  'npm test',
])('%s stays as it is written', (command) => {
  expect(wrappedLine(command)).toBe(command);
});
