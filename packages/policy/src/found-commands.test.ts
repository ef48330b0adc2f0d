import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, runs } from '@attractor/base/testing';
import { createTracer } from '@attractor/shell/testing';
import { fillProject } from './test-support/found-project.ts';
import { policyOf } from './test-support/rules.ts';

/** Made by `scripts/gather-commands.mjs`, which tells what is in it. */
const { allowed, reads }: Readonly<Record<'allowed' | 'reads', ReadonlyArray<string>>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'fixtures/found-commands.json'), 'utf8'),
);

function project() {
  const root = makeFolder();
  fillProject(root);
  const policy = policyOf({}, { root, variables: { PATH: '/usr/bin:/bin', HOME: '/home/me', LANG: 'C.UTF-8' } });
  const unasked = async (commands: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const run: string[] = [];
    for (const command of commands)
      if ((await policy.judge({ toolName: 'shell', args: { command } })).decision === 'allow') run.push(command);
    return run;
  };
  return { root, unasked };
}

/** Every so many of a list: in a long run all of it. */
function some(list: ReadonlyArray<string>, count: number): ReadonlyArray<string> {
  const step = Math.ceil(list.length / runs(count, list.length));
  return list.filter((_command, at) => at % step === 0);
}

describe('commands from READMEs, Makefiles, CI files, scripts and manuals of packages', () => {
  it('that are allowed write, start and read nothing that was not judged when they are really run', async ({
    skip,
  }) => {
    const { root, unasked } = project();
    const commands = some(allowed, 100);
    expect(allowed).toHaveLength(2_000);
    expect(await unasked(commands)).toEqual(commands);
    const outside = makeFolder({ 'letters.txt': 'mine\n' });
    const trace = createTracer({ project: root, place: root, scratch: makeFolder(), outside });
    if (trace === null) return skip('no tracer here: bubblewrap or strace is missing, or may not run');
    expect(trace(commands)).toEqual([]);
  });

  it('that only read run unasked, at least 95 of 100', async () => {
    const { unasked } = project();
    expect((await unasked(reads)).length / reads.length).toBeGreaterThanOrEqual(0.95);
  });
});
