import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundledProgram, makeFolder, runs } from '@attractor/base/testing';
import { ENV, makeRepository } from '@attractor/repository/testing';
import { openStore } from '@attractor/store';
import { must } from '@attractor/store/testing';
import { startSimulator } from '@attractor/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { bundleProgram } from '../../bench/measuring/bundle.ts';
import { leftRunning } from '../left-running.ts';

/**
 * In a soak in the form in which the command ships: whoever frees a text of ten megabytes, as a program in one file does, has the C library
 * keep twice as much for itself from then on.
 */
async function programOf(name: string): Promise<string> {
  const entry = join(import.meta.dirname, `test-support/${name}.ts`);
  if (runs(0, 1) === 0) return bundledProgram(entry);
  const { file, remove } = await bundleProgram(entry);
  onTestFinished(remove);
  return file;
}

const FEW = runs(4, 50);
/** SOAK_RUNS: for a look that takes less than an hour. */
const MANY = runs(8, Number(process.env['SOAK_RUNS'] ?? 1_000));
const MOST_GROWTH = 1.2;

type Held = Readonly<Record<'runs' | 'heapUsed' | 'rss' | 'descriptors' | 'temporary' | 'worktrees', number>>;

async function startModel(): Promise<string> {
  const command = 'echo made > made.txt';
  const turns = [
    { toolCalls: [{ use: 'shell' as const, command }] },
    { toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] },
    { text: 'Finished.' },
  ];
  const simulator = await startSimulator({ script: { turns }, record: 'none' });
  onTestFinished(() => simulator.close());
  return simulator.baseUrls.anthropic;
}

/** The second in the soak only: a whole server takes its time to start. */
const PROGRAMS = [
  ['worker', 'many-runs-child'],
  ['server', 'many-runs-server-child'],
].slice(0, runs(1, 2));

it.each(PROGRAMS)(`a %s holds after ${MANY} runs what it held after ${FEW}`, async (_, program = '') => {
  const folder = makeFolder();
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')];
  for (const name of [home, temporary]) mkdirSync(name);
  // Worktrees of ended tasks go at once, so that those of them that stay are seen.
  writeFileSync(join(home, 'config.json'), JSON.stringify({ supervisor: { keepWorktreesMs: 0 } }));
  const args = [await programOf(program), home, await makeRepository({ 'a.txt': 'a\n' }), await startModel()];
  const marks = [FEW, ...(runs(0, 1) === 1 ? [200, 500].filter((mark) => mark < MANY) : []), MANY].map(String);
  const running = promisify(execFile)(process.execPath, [...args, ...marks], { env: { ...ENV, TMPDIR: temporary } });
  if (runs(0, 1) === 1) running.child.stdout?.on('data', (told: string) => void writeSync(2, `${program} ${told}`));
  const { stdout } = await running;
  const held: Held[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [few, many] = [held[0], held.at(-1)];
  if (few === undefined || many === undefined) throw new Error('It told what it held');
  expect(many.runs).toBe(MANY);
  expect(many.temporary).toBe(few.temporary);
  expect(held.map(({ worktrees }) => worktrees)).toEqual(held.map(() => 0));
  // A connection to the model or of a viewer may be open for a little longer.
  expect(many.descriptors, stdout).toBeLessThanOrEqual(few.descriptors + 4);
  // A process of few runs is still getting warm.
  const growth = runs(0, 1) === 1 ? [many.heapUsed / few.heapUsed, many.rss / few.rss] : [];
  expect(Math.max(0, ...growth), stdout).toBeLessThanOrEqual(MOST_GROWTH);
  expect(leftRunning(folder)).toEqual([]);
  const store = must(await openStore({ home }));
  const kept = await store.read.selectFrom('jobs').select('id').where('owner', 'is not', null).execute();
  const ended = await store.read.selectFrom('runs').select('status').execute();
  await store.close();
  expect(kept).toEqual([]);
  expect(ended.map(({ status }) => status)).toEqual(Array.from({ length: MANY }, () => 'completed'));
});
