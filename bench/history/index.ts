/**
 * What people look at (board, task, inbox, costs, search, the catching-up of a viewer, a project's activity) beside 100 events and beside
 * a million, in both databases: each page costs what it shows, not what was before. `node bench/history/index.ts 10000` takes that many
 * in place of a million.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ended, runProgram, startProgram } from '../measuring/program.ts';

const PAGES = join(import.meta.dirname, 'pages.ts');
const POSTGRES = join(import.meta.dirname, '../../packages/store/src/test-support/postgres-child.ts');
const FEW = 100;
const MANY = Number(process.argv[2] ?? 1_000_000);
const MOST_GROWTH = 1.5;
/** Below this a ratio says more about the machine than about the page. */
const NOISE_MS = 1;

type Measured = {
  readonly times: Readonly<Record<string, readonly [number, number]>>;
  readonly bytes: ReadonlyArray<number>;
};

const server = startProgram(POSTGRES, ['2']);
const [line = '[]'] = String(await new Promise((resolve) => server.stdout.once('data', resolve))).split('\n');
const urls: string[] = JSON.parse(line);
try {
  const rows = [...(await compare('embedded')), ...(await compare('PostgreSQL'))];
  const met = rows.every(({ isFlat }) => isFlat);
  console.log(`\nat most ×${MOST_GROWTH} wanted: ${met ? 'met' : 'MISSED'}`);
  console.log(JSON.stringify({ bench: 'history', few: FEW, many: MANY, rows, met }));
  if (!met) process.exitCode = 1;
} finally {
  server.stdin.end();
  await ended(server);
}

async function compare(on: 'embedded' | 'PostgreSQL') {
  const homes = [1, 2].map(() => mkdtempSync(join(tmpdir(), 'attractor-bench-')));
  try {
    const said = await runProgram(PAGES, [String(FEW), String(MANY), ...homes, ...(on === 'PostgreSQL' ? urls : [])]);
    if (!isMeasured(said)) throw new Error('The pages did not tell their times');
    console.log(`\n${on}: ${said.bytes.map((bytes) => (bytes / 1e6).toFixed(0)).join(' and ')} MB on disk`);
    return Object.entries(said.times).map(([page, [before, after]]) => {
      const isFlat = after <= before * MOST_GROWTH || after - before < NOISE_MS;
      const words = `${before.toFixed(2).padStart(8)} ms ${after.toFixed(2).padStart(9)} ms  ×${(after / before).toFixed(2)}`;
      console.log(`  ${page.padEnd(12)} ${words}${isFlat ? '' : '  grows'}`);
      return { on, page, before, after, isFlat };
    });
  } finally {
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  }
}

function isMeasured(said: unknown): said is Measured {
  return typeof said === 'object' && said !== null && 'times' in said && 'bytes' in said;
}
