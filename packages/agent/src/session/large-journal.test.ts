import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { bundledProgram, makeFolder, runs } from '@attractor/base/testing';

const PROGRAM = bundledProgram(new URL('../test-support/large-journal-child.ts', import.meta.url).pathname);

/** 100,000 events and 500 MB in a soak; a hundredth of it otherwise. */
const ROUNDS = runs(300, 31_000);
const LARGE_OUTPUT = '64000';

it('a large journal is folded in memory for its history, not for its size', async () => {
  const folder = makeFolder();
  const run = async (order: string): Promise<Record<string, number>> => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      PROGRAM,
      order,
      folder,
      String(ROUNDS),
      LARGE_OUTPUT,
    ]);
    return JSON.parse(stdout);
  };
  const { events } = await run('write');
  const folded = await run('fold');
  expect(folded).toMatchObject({ events, turns: (ROUNDS / 10) * 22 });
  expect(folded['peakMb']).toBeLessThan(runs(40, 300));
});
