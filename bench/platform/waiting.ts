/**
 * What a server needs beside a thousand runs that wait for a person. A page with fifty questions costs more than an empty one, whoever asked
 * them. So pages are compared where they show as much: fifty questions of runs that have ended, so that nothing waits; of fifty runs that
 * wait; the first fifty of a thousand. All three stand in one table of one run of the measurement.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../measuring/program.ts';
import { median } from '../measuring/rounds.ts';

const CHILD = join(import.meta.dirname, '../../packages/platform/src/test-support/waiting-child.ts');
const ROUNDS = 3;
const WAITING = [0, 50, 1_000] as const;

/** How many times more a thousand may cost than none, and than fifty; a queue in which nothing waits has less to show. */
const LIMITS: Readonly<Record<string, number>> = {
  claim: 1.5,
  'no claim': 1.5,
  board: 1.5,
  inbox: 1.5,
  queue: 1.5,
  status: 1.5,
  health: 1.5,
  heapMb: 1.2,
  rssMb: 1.2,
};

type Told = Readonly<Record<string, number>>;

export async function measureWaiting(): Promise<void> {
  const told = new Map<number, Told[]>(WAITING.map((count) => [count, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const count of WAITING) told.get(count)?.push(await measure(count));
  console.log(`\nbeside runs that wait for a person, with as much to show (median of ${ROUNDS}; CPU ms, and MB)\n`);
  console.log(`  ${''.padEnd(9)}${WAITING.map((count) => String(count).padStart(9)).join('')}`);
  const ratios = Object.entries(LIMITS).map(([name, most]) => {
    const at = (count: number): number => median((told.get(count) ?? []).map((one) => one[name] ?? 0));
    const [none, few] = [at(1_000) / at(0), at(1_000) / at(50)];
    const isAlike = name !== 'queue';
    const met = few <= most && (none <= most || !isAlike);
    const figures = WAITING.map((count) => at(count).toFixed(1).padStart(9)).join('');
    const beside = isAlike ? `${none.toFixed(2)} × that of none, ` : '';
    const verdict = `${beside}${few.toFixed(2)} × that of 50; at most ${most}`;
    console.log(`  ${name.padEnd(9)}${figures}   ${verdict}: ${met ? 'met' : 'MISSED'}`);
    return { name, none, few, met };
  });
  console.log(JSON.stringify({ bench: 'platform/waiting', ratios }));
  if (!ratios.every(({ met }) => met)) process.exitCode = 1;
}

async function measure(count: number): Promise<Told> {
  const home = mkdtempSync(join(tmpdir(), 'attractor-bench-'));
  try {
    const said = await runProgram(CHILD, [home, String(count)]);
    if (typeof said === 'object' && said !== null && 'rssMb' in said) return said as Told;
    throw new Error('the measurement told nothing');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
