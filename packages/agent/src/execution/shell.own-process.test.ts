import { closeSync, openSync } from 'node:fs';
import { expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { createLocalExecutionEnvironment } from './local.ts';

/** One more digit is written differently to a shell; all numbers in a soak (SOAK=1). */
const isTried = (descriptor: number): boolean =>
  process.env['SOAK'] === '1' || descriptor % 8 === 0 || (descriptor >= 96 && descriptor <= 103);

it('a command starts in its folder, and tells where it ended, whichever descriptors we have open ourselves', async () => {
  const root = makeFolder({ 'sub/deep/a.txt': 'a\n' });
  const held = [openSync('/dev/null', 'r')];
  expect(held[0]).toBeLessThan(90);
  const told: string[] = [];
  while ((held.at(-1) ?? 0) < 110) {
    const descriptor = openSync('/dev/null', 'r');
    held.push(descriptor);
    if (!isTried(descriptor)) continue;
    const env = createLocalExecutionEnvironment(root);
    const { workingDir } = await env.execCommand('cd deep', { tellWorkingDir: true, workingDir: 'sub' });
    told.push(workingDir ?? 'nowhere');
    await env.cleanup();
  }
  for (const descriptor of held) closeSync(descriptor);
  expect(new Set(told)).toEqual(new Set(['sub/deep']));
});
