/** Two hundred sessions in one process, compared with one: memory for each, how long the event loop is blocked, and throughput. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTimedModel } from '../loop/timed-model.ts';
import { bundleProgram } from '../measuring/bundle.ts';
import { median } from '../measuring/rounds.ts';
import type { ManyCost } from './many.ts';

const TURNS = 50;
const MANY = 200;
/** Three, or as many as requested: one takes from half a minute up to two. */
const ROUNDS = Number(process.argv[2] ?? 3);
const LIMITS = { mbEach: 2, delayP99Ms: 50 };

const model = await startTimedModel({
  script: { turns: [{ toolCalls: [{ use: 'read', path: 'lines.txt' }], repeat: TURNS - 1 }, { text: 'Done.' }] },
  record: 'none',
});

const program = await bundleProgram(join(import.meta.dirname, 'many.ts'));

try {
  const costs: { readonly one: ManyCost[]; readonly many: ManyCost[] } = { one: [], many: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    costs.one.push(await run(1));
    costs.many.push(await run(MANY));
    console.error(`round ${round + 1} of ${ROUNDS}: ${JSON.stringify(costs.many.at(-1))}`);
  }
  report(summary(costs.one, 1), summary(costs.many, MANY));
} finally {
  model.stop();
  await program.remove();
}

async function run(count: number): Promise<ManyCost> {
  const folder = await mkdtemp(join(tmpdir(), 'attractor-bench-'));
  try {
    const args = ['--expose-gc', program.file, model.baseUrl, folder, String(count)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [code]: unknown[] = await once(child, 'close');
    if (code !== 0) throw new Error(`${program.file} ended with ${String(code)}`);
    const cost: ManyCost = JSON.parse(output);
    return cost;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Summary = {
  readonly sessions: number;
  readonly turnsPerSecond: number;
  readonly cpuMsPerTurn: number;
  readonly mbEach: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
};

function summary(costs: ReadonlyArray<ManyCost>, sessions: number): Summary {
  const of = (read: (cost: ManyCost) => number): number => median(costs.map(read));
  return {
    sessions,
    turnsPerSecond: (sessions * TURNS) / (of(({ wallMs }) => wallMs) / 1000),
    cpuMsPerTurn: of(({ cpuMs }) => cpuMs) / (sessions * TURNS),
    mbEach: of(({ peakMb, startMb }) => peakMb - startMb) / sessions,
    delayP99Ms: of(({ delayP99Ms }) => delayP99Ms),
    delayMaxMs: of(({ delayMaxMs }) => delayMaxMs),
  };
}

function report(one: Summary, many: Summary): void {
  const rows: ReadonlyArray<readonly [string, keyof Summary, string]> = [
    ['sessions', 'sessions', ''],
    ['turns a second', 'turnsPerSecond', ''],
    ['cpu for a turn', 'cpuMsPerTurn', ' ms'],
    ['peak memory for a session', 'mbEach', ' MB'],
    ['event loop held up, p99', 'delayP99Ms', ' ms'],
    ['event loop held up, at most', 'delayMaxMs', ' ms'],
  ];
  console.log(`${TURNS} turns each, reading 20 lines, journals in files (medians of ${ROUNDS}, taking turns)\n`);
  for (const [title, key, unit] of rows) {
    const cells = [one[key], many[key]].map((value) => `${value.toFixed(2)}${unit}`.padStart(14)).join('');
    console.log(`  ${title.padEnd(30)}${cells}`);
  }
  const missed = [
    ...(many.mbEach > LIMITS.mbEach ? [`memory for a session (at most ${LIMITS.mbEach} MB)`] : []),
    ...(many.delayP99Ms > LIMITS.delayP99Ms ? [`event loop (p99 at most ${LIMITS.delayP99Ms} ms)`] : []),
  ];
  console.log(
    `\n  throughput of ${many.sessions} against one: ×${(many.turnsPerSecond / one.turnsPerSecond).toFixed(2)}`,
  );
  console.log(
    `  load average ${loadavg()
      .map((value) => value.toFixed(1))
      .join(', ')}`,
  );
  console.log(missed.length === 0 ? 'every limit met' : `MISSED: ${missed.join(', ')}`);
  console.log(
    JSON.stringify({ bench: 'sessions', turns: TURNS, one, many, limits: LIMITS, missed, loadAverage: loadavg() }),
  );
  if (missed.length > 0) process.exitCode = 1;
}
