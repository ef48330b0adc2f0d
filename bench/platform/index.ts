/**
 * What the platform does in a second, embedded and on PostgreSQL, compared with pg-boss alone; what a page of the board costs as tasks
 * grow; what a thousand waiting runs cost; and what 16 writers append on PostgreSQL side by side, compared with one at a time; and whole runs, compared with
 * the least that any run must do, and in two and four worker processes, compared with one. `rates`, `board`, `waiting`, `append`, `runs` or `workers`
 * measures that part only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, runProgram, startProgram } from '../measuring/program.ts';
import { median } from '../measuring/rounds.ts';
import { DATABASES_OF_RUNS, measureWholeRuns, measureWorkers } from './runs.ts';
import { measureWaiting } from './waiting.ts';

const MEASURE = join(import.meta.dirname, '../../packages/platform/src/test-support/measure-child.ts');
const POSTGRES = join(import.meta.dirname, '../../packages/store/src/test-support/postgres-child.ts');
const APPEND = join(import.meta.dirname, 'append.ts');
const ROUNDS = 3;
/** A load gets no further round once its rounds took this long in total: a busy machine prints fewer rounds, sooner. */
const ENOUGH_MS = 20_000;
/** How many times more the page of the largest board may cost than that of the smallest. */
const MOST_GROWTH = 3;

type Load = { readonly what: string; readonly count: number; readonly on: 'embedded' | 'PostgreSQL' };

const LOADS: ReadonlyArray<Load & { readonly name: string }> = [
  { name: 'tasks created', what: 'create', count: 500, on: 'embedded' },
  { name: 'tasks created', what: 'create', count: 500, on: 'PostgreSQL' },
  { name: 'tasks completed, ten steps each', what: 'complete', count: 16, on: 'embedded' },
  { name: 'tasks completed, ten steps each', what: 'complete', count: 16, on: 'PostgreSQL' },
  { name: 'jobs claimed and finished', what: 'claims', count: 500, on: 'embedded' },
  { name: 'jobs claimed and finished', what: 'claims', count: 500, on: 'PostgreSQL' },
  { name: 'jobs of pg-boss alone', what: 'boss', count: 500, on: 'PostgreSQL' },
];
const BOARDS = [100, 1_000, 10_000];
const WAYS = ['alone', 'beside', 'together'] as const;
const APPENDED = 6_400;
const LEAST_GAIN = 4;
/** Of the jobs that pg-boss alone hands out and completes in a second. */
const LEAST_OF_BOSS = 0.6;

let databases: Awaited<ReturnType<typeof startDatabases>>;

const [part = 'all'] = process.argv.slice(2);
if (part === 'all' || part === 'waiting') await measureWaiting();
if (part !== 'waiting') await measureOnDatabases();

async function measureOnDatabases(): Promise<void> {
  databases = await startDatabases(ROUNDS * (LOADS.length + WAYS.length) + BOARDS.length + DATABASES_OF_RUNS);
  try {
    if (part === 'all' || part === 'append') await measureAppends();
    if (part === 'all' || part === 'runs') await measureWholeRuns(databases.next);
    if (part === 'all' || part === 'workers') await measureWorkers(databases.next);
    if (part === 'all' || part === 'rates') await measureRates();
    if (part === 'all' || part === 'board') await measureBoards();
  } finally {
    await databases.stop();
  }
}

async function startDatabases(count: number) {
  const server = startProgram(POSTGRES, [String(count)]);
  const [line = '[]'] = String(await new Promise((resolve) => server.stdout.once('data', resolve))).split('\n');
  const urls: string[] = JSON.parse(line);
  const stop = async (): Promise<void> => {
    server.stdin.end();
    await ended(server);
  };
  return { next: () => urls.pop() ?? '', stop };
}

async function measure({ what, count, on }: Load): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'attractor-bench-'));
  try {
    const database = on === 'PostgreSQL' ? [databases.next()] : [];
    return timeOf(await runProgram(MEASURE, [what, home, String(count), ...database]));
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function timeOf(said: unknown): number {
  if (typeof said === 'object' && said !== null && 'wallMs' in said && typeof said.wallMs === 'number')
    return said.wallMs;
  throw new Error('It did not tell its time');
}

/** They take turns, so that a busy machine is as busy for the one as for the other. */
async function measureAppends(): Promise<void> {
  const times: Record<(typeof WAYS)[number], number[]> = { alone: [], beside: [], together: [] };
  for (let round = 0; round < ROUNDS; round += 1)
    for (const way of WAYS)
      times[way].push(timeOf(await runProgram(APPEND, [way, String(APPENDED), databases.next()])));
  const [alone = 1, beside = 0, together = 0] = WAYS.map((way) => (APPENDED * 1_000) / median(times[way]));
  const gain = together / alone;
  const met = gain >= LEAST_GAIN;
  console.log(`events appended by 16 writers on PostgreSQL, in a second (median of ${ROUNDS} rounds)\n`);
  console.log(
    `  one transaction at a time ${alone.toFixed(0)}, side by side ${beside.toFixed(0)}, together ${together.toFixed(0)}`,
  );
  console.log(`  together ×${gain.toFixed(1)}, at least ${LEAST_GAIN} wanted: ${met ? 'met' : 'MISSED'}\n`);
  console.log(JSON.stringify({ bench: 'platform/append', alone, beside, together, gain, met }));
  if (!met) process.exitCode = 1;
}

async function measureRates(): Promise<void> {
  console.log(`in a second (median of up to ${ROUNDS} rounds, each in a process of its own)\n`);
  const rates: Array<Load & { readonly name: string; readonly rounds: number; readonly perSecond: number }> = [];
  for (const load of LOADS) {
    const times: number[] = [];
    const began = performance.now();
    do times.push(await measure(load));
    while (times.length < ROUNDS && performance.now() - began < ENOUGH_MS);
    const rate = { ...load, rounds: times.length, perSecond: (load.count * 1_000) / median(times) };
    rates.push(rate);
    const words = `${load.name.padEnd(34)} ${load.on.padEnd(12)} ${rate.perSecond.toFixed(1).padStart(9)}`;
    console.log(`  ${words}   of ${times.length}`);
  }
  const rateOf = (what: string): number =>
    rates.find((rate) => rate.what === what && rate.on === 'PostgreSQL')?.perSecond ?? 0;
  const ofBoss = rateOf('claims') / rateOf('boss');
  const met = ofBoss >= LEAST_OF_BOSS;
  console.log(
    `\n  claims beside pg-boss alone ×${ofBoss.toFixed(2)}, at least ${LEAST_OF_BOSS} wanted: ${met ? 'met' : 'MISSED'}`,
  );
  console.log(JSON.stringify({ bench: 'platform/rates', rates, ofBoss, met }));
  if (!met) process.exitCode = 1;
}

/** A page is read by an index: its cost grows with the page, not with the board. */
async function measureBoards(): Promise<void> {
  console.log('\na page of 50 tasks of the whole board and one of a column (median of 40)\n');
  const pages: Array<{ readonly tasks: number; readonly on: Load['on']; readonly wallMs: number }> = [];
  for (const on of ['embedded', 'PostgreSQL'] as const)
    for (const tasks of BOARDS) {
      const wallMs = await measure({ what: 'board', count: tasks, on });
      pages.push({ tasks, on, wallMs });
      console.log(`  ${String(tasks).padStart(6)} tasks  ${on.padEnd(12)} ${wallMs.toFixed(2).padStart(8)} ms`);
    }
  const growth = Math.max(
    ...(['embedded', 'PostgreSQL'] as const).map((on) => {
      const own = pages.filter((page) => page.on === on).map(({ wallMs }) => wallMs);
      return (own.at(-1) ?? 0) / (own[0] ?? 1);
    }),
  );
  const met = growth <= MOST_GROWTH;
  console.log(
    `\nfrom 100 to 10,000 tasks: ×${growth.toFixed(2)}, at most ${MOST_GROWTH} wanted: ${met ? 'met' : 'MISSED'}`,
  );
  console.log(JSON.stringify({ bench: 'platform/board', pages, growth, met }));
  if (!met) process.exitCode = 1;
}
