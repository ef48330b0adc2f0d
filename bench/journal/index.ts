/** The cost of resuming a very long session: 100,000 events, 500 MB. Resumed and listed, compared with a bare read of the same files. */
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../measuring/program.ts';
import { report } from '../measuring/report.ts';
import { takeTurns, type Contender, type Cost, type Standing } from '../measuring/rounds.ts';
import type { Shape } from './large-journal.ts';

const PROGRAM = join(import.meta.dirname, 'large-journal.ts');
const ROUNDS = 3;
const LIMITS = { wallMs: 2_000, peakMb: 300 };

/** The same size twice: many outputs in the lines themselves, or fewer in side files. */
const SHAPES: Readonly<Record<string, Shape>> = {
  inline: { rounds: 33_000, outputBytes: 15_000, every: 1 },
  beside: { rounds: 33_000, outputBytes: 60_000, every: 4 },
};

for (const [name, shape] of Object.entries(SHAPES)) await measure(name, shape);
const load = loadavg().map((value) => value.toFixed(1));
console.log(`load average ${load.join(', ')}`);

async function measure(name: string, shape: Shape): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'attractor-bench-'));
  try {
    await runProgram(PROGRAM, ['write', home, JSON.stringify(shape)]);
    const doing = (what: string, order: string): Contender => ({ name: what, run: () => costOf(order, home) });
    const standings = await takeTurns(
      [doing('bare read and parse', 'bare'), doing('resume', 'resume'), doing('list, never listed before', 'list')],
      ROUNDS,
    );
    report({
      bench: `journal/${name}`,
      what: `one session of 500 MB, outputs ${name} (medians of ${ROUNDS})`,
      standings,
    });
    judge(
      name,
      standings.find((one) => one.name === 'resume'),
    );
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function costOf(order: string, home: string): Promise<Cost> {
  const cost = await runProgram(PROGRAM, [order, home]);
  if (!isCost(cost)) throw new Error(`${order} told ${JSON.stringify(cost)}`);
  return cost;
}

function isCost(value: unknown): value is Cost {
  return typeof value === 'object' && value !== null && 'wallMs' in value && 'cpuMs' in value && 'peakMb' in value;
}

function judge(name: string, resumed: Standing | undefined): void {
  const { wallMs = Infinity, peakMb = Infinity } = resumed?.median ?? {};
  const met = wallMs <= LIMITS.wallMs && peakMb <= LIMITS.peakMb;
  console.log(`${name}: at most ${LIMITS.wallMs} ms and ${LIMITS.peakMb} MB wanted: ${met ? 'met' : 'MISSED'}\n`);
  if (!met) process.exitCode = 1;
}
