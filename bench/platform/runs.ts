import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startModelServer } from '../measuring/model-server.ts';
import { type Answering, startAnswering } from '../measuring/program.ts';
import { median } from '../measuring/rounds.ts';

const RUNS = join(import.meta.dirname, 'whole-runs.ts');
/**
 * A machine's own speed changes within seconds: many short turns, and each is compared with what was measured beside it. A connection that
 * nobody needs is closed after ten seconds: the turn of the other takes less.
 */
const ROUNDS = 9;
const RUNS_OF_A_TURN = 24;
/** The first runs of a program load what the others need. */
const UNCOUNTED = 8;
/** Of each worker, and then counted: one that has done all of the work is no measure for several of which each has done a part. */
const UNCOUNTED_EACH = 24;
const RUNS_OF_EACH = 32;
const WORKERS = [1, 2, 4] as const;
const ROUNDS_OF_WORKERS = 3;
/** Of the floor's runs in a second. */
const LEAST_OF_FLOOR = { embedded: 0.7, PostgreSQL: 0.6 } as const;
/** Of what one worker does in a second. */
const LEAST_OF_ONE = 0.95;

export const DATABASES_OF_RUNS = 1 + ROUNDS_OF_WORKERS * WORKERS.length;

type Turn = { readonly name: string; readonly args: ReadonlyArray<string>; readonly uncounted: number };
type Turns = { readonly turns: ReadonlyArray<Turn>; readonly rounds: number; readonly runs: number };
type Measured = { readonly name: string; readonly perSecond: number; readonly ofFirst: number };

/** Each program stays, and waits while it is the turn of another. */
async function takeTurns({ turns, rounds, runs }: Turns): Promise<ReadonlyArray<Measured>> {
  const model = await startModelServer({ text: 'ok' });
  const homes = turns.map(() => mkdtempSync(join(tmpdir(), 'attractor-bench-')));
  const programs = turns.map(({ args: [way = '', ...more] }, at) =>
    startAnswering(RUNS, [way, homes[at] ?? '', model.baseUrl, ...more]),
  );
  try {
    for (const [at, program] of programs.entries()) await timeOf(program, turns[at]?.uncounted ?? 0);
    const times: number[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const own: number[] = [];
      for (const program of programs) own.push(await timeOf(program, runs));
      times.push(own);
    }
    return turns.map(({ name }, at) => ({
      name,
      perSecond: (runs * 1_000) / median(times.map((own) => own[at] ?? 0)),
      ofFirst: median(times.map(([first = 0, ...others]) => first / ([first, ...others][at] ?? 1))),
    }));
  } finally {
    await Promise.all(programs.map(({ stop }) => stop()));
    model.stop();
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  }
}

async function timeOf({ ask }: Answering, runs: number): Promise<number> {
  const said = await ask(String(runs));
  if (typeof said === 'object' && said !== null && 'wallMs' in said && typeof said.wallMs === 'number')
    return said.wallMs;
  throw new Error('It did not tell its time');
}

export async function measureWholeRuns(nextDatabase: () => string): Promise<void> {
  const how = 'four at once, with a process that asks the model three times';
  console.log(`whole runs in a second, ${how} (median of ${ROUNDS} turns of ${RUNS_OF_A_TURN})\n`);
  const rows: Array<Measured & { readonly floor: number; readonly met: boolean }> = [];
  for (const [name, least] of Object.entries(LEAST_OF_FLOOR)) {
    const args = ['platform', ...(name === 'PostgreSQL' ? [nextDatabase()] : [])];
    const turns = [
      { name: 'floor', args: ['floor'], uncounted: UNCOUNTED },
      { name, args, uncounted: UNCOUNTED },
    ];
    const [floor, own] = await takeTurns({ turns, rounds: ROUNDS, runs: RUNS_OF_A_TURN });
    if (floor === undefined || own === undefined) throw new Error('Both had turns');
    const met = own.ofFirst >= least;
    const words = `×${own.ofFirst.toFixed(2)}, at least ${least} wanted: ${met ? 'met' : 'MISSED'}`;
    console.log(`  ${name} ${own.perSecond.toFixed(2)}, beside a floor of ${floor.perSecond.toFixed(2)}: ${words}`);
    rows.push({ ...own, floor: floor.perSecond, met });
  }
  console.log(JSON.stringify({ bench: 'platform/runs', rows }));
  if (rows.some(({ met }) => !met)) process.exitCode = 1;
}

/**
 * Each worker adds four runs at once; on a machine whose cores are all busy with one, more of them may not make it slower. They begin anew
 * for each turn: a pause would cost four their connections and one a quarter of those. Every other round goes backwards: a machine slows down while it is busy.
 */
export async function measureWorkers(nextDatabase: () => string): Promise<void> {
  const times = WORKERS.map((workers) => ({ workers, wallMs: new Array<number>() }));
  for (let round = 0; round < ROUNDS_OF_WORKERS; round += 1)
    for (const { workers, wallMs } of round % 2 === 0 ? times : times.toReversed())
      wallMs.push(await timeOfWorkers(workers, nextDatabase()));
  const rates = times.map(({ workers, wallMs }) => ({
    workers,
    perSecond: (workers * RUNS_OF_EACH * 1_000) / median(wallMs),
  }));
  console.log(`whole runs in a second on PostgreSQL, by workers with four at once (median of ${ROUNDS_OF_WORKERS})\n`);
  const rows = rates.map(({ workers, perSecond }) => {
    const ofOne = perSecond / (rates[0]?.perSecond ?? 1);
    const met = ofOne >= LEAST_OF_ONE;
    const words =
      workers === 1 ? '' : `, ×${ofOne.toFixed(2)}, at least ${LEAST_OF_ONE} wanted: ${met ? 'met' : 'MISSED'}`;
    console.log(`  ${workers}: ${perSecond.toFixed(2)}${words}`);
    return { workers, perSecond, ofOne, met };
  });
  console.log(JSON.stringify({ bench: 'platform/workers', rows }));
  if (rows.some(({ met }) => !met)) process.exitCode = 1;
}

async function timeOfWorkers(workers: number, database: string): Promise<number> {
  const model = await startModelServer({ text: 'ok' });
  const home = mkdtempSync(join(tmpdir(), 'attractor-bench-'));
  const program = startAnswering(RUNS, ['platform', home, model.baseUrl, database, String(workers)]);
  try {
    await timeOf(program, UNCOUNTED_EACH * workers);
    return await timeOf(program, RUNS_OF_EACH * workers);
  } finally {
    await program.stop();
    model.stop();
    rmSync(home, { recursive: true, force: true });
  }
}
