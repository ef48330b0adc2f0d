import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundledProgram, makeFolder, runs } from '@attractor/base/testing';
import { ENV, makeRepository } from '@attractor/repository/testing';
import { openStore } from '@attractor/store';
import { must } from '@attractor/store/testing';
import { expect, it } from 'vitest';
import { leftRunning } from '../left-running.ts';

const CHILD = join(import.meta.dirname, 'test-support/many-runs-child.ts');
const FEW = runs(4, 50);
const MANY = runs(12, 1_000);
const MOST_GROWTH = 1.2;

type Held = Readonly<Record<'runs' | 'heapUsed' | 'rss' | 'descriptors' | 'temporary', number>>;

it(`a worker holds after ${MANY} runs what it held after ${FEW}`, async () => {
  const folder = makeFolder();
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')];
  for (const name of [home, temporary]) mkdirSync(name);
  const args = [bundledProgram(CHILD), home, await makeRepository({ 'a.txt': 'a\n' })];
  const marks = [FEW, ...(runs(0, 1) === 1 ? [200, 400] : []), MANY].map(String);
  const { stdout } = await promisify(execFile)(process.execPath, [...args, ...marks], {
    env: { ...ENV, TMPDIR: temporary },
  });
  const held: Held[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (runs(0, 1) === 1) console.log(stdout);
  const [few, many] = [held[0], held.at(-1)];
  if (few === undefined || many === undefined) throw new Error('It told what it held');
  expect(many.runs).toBe(MANY);
  expect([many.descriptors, many.temporary]).toEqual([few.descriptors, few.temporary]);
  // A process of few runs is still getting warm.
  if (runs(0, 1) === 1) expect(many.heapUsed / few.heapUsed, stdout).toBeLessThanOrEqual(MOST_GROWTH);
  expect(leftRunning(folder)).toEqual([]);
  const store = must(await openStore({ home }));
  const kept = await store.read.selectFrom('jobs').select('id').where('owner', 'is not', null).execute();
  const ended = await store.read.selectFrom('runs').select('status').execute();
  await store.close();
  expect(kept).toEqual([]);
  expect(ended.map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => 'completed'));
});
