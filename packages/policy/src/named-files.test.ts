import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { policyOf } from './test-support/rules.ts';

it('what goes through links asks before a closed file behind one, wherever the link leads', async () => {
  const root = makeFolder({ 'keys/b': 'x', 'src/a.ts': 'x', 'docs/c.md': 'x', 'up/d.md': 'x' });
  symlinkSync(root, join(root, 'up/whole'));
  symlinkSync('../keys', join(root, 'src/beside'));
  symlinkSync('../docs', join(root, 'docs/itself'));
  const policy = policyOf({ deny: ['Read(keys/**)'] }, { root });
  const decided = async (command: string): Promise<unknown> => [
    command,
    (await policy.judge({ toolName: 'shell', args: { command } })).decision,
  ];
  const asking = ['grep -R x up', 'grep -nR x src', 'grep --dereference-recursive x src', 'diff -r src docs'];
  const unasked = ['grep -R x docs', 'grep -r x src', 'grep -rn x up'];
  const wanted = [...asking.map((command) => [command, 'ask']), ...unasked.map((command) => [command, 'allow'])];
  expect(await Promise.all([...asking, ...unasked].map(decided))).toEqual(wanted);
});
