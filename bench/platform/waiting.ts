/** What a server needs beside a thousand runs that wait for a person, compared with few and with none. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../measuring/program.ts';
import { median } from '../measuring/rounds.ts';

const CHILD = join(import.meta.dirname, '../../packages/platform/src/test-support/waiting-child.ts');
const ROUNDS = 3;
const WAITING = [0, 50, 1_000] as const;

/** With which number of waiting runs the thousand are compared, and how many times more they may cost; a page of the inbox shows fifty. */
const LIMITS: Readonly<Record<string, { readonly with: 0 | 50; readonly most: number }>> = {
  claim: { with: 0, most: 1.5 },
  board: { with: 50, most: 1.5 },
  inbox: { with: 50, most: 1.5 },
  status: { with: 50, most: 1.5 },
  rssMb: { with: 0, most: 1.2 },
};

type Told = Readonly<Record<string, number>>;

export async function measureWaiting(): Promise<void> {
  const told = new Map<number, Told[]>(WAITING.map((count) => [count, []]));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const count of WAITING) told.get(count)?.push(await measure(count));
  console.log(`\nbeside runs that wait for a person (median of ${ROUNDS}; CPU ms, and MB)\n`);
  console.log(`  ${''.padEnd(8)}${WAITING.map((count) => String(count).padStart(9)).join('')}   ratio`);
  const ratios = Object.entries(LIMITS).map(([name, limit]) => {
    const at = (count: number): number => median((told.get(count) ?? []).map((one) => one[name] ?? 0));
    const ratio = at(1_000) / at(limit.with);
    const met = ratio <= limit.most;
    const figures = WAITING.map((count) => at(count).toFixed(1).padStart(9)).join('');
    const verdict = `${ratio.toFixed(2)} × that of ${limit.with}, at most ${limit.most}: ${met ? 'met' : 'MISSED'}`;
    console.log(`  ${name.padEnd(8)}${figures}   ${verdict}`);
    return { name, ratio, met };
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
