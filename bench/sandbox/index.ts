/**
 * What a sandbox adds to a command in the local environment: plain and sandboxed commands take turns in one process, each after a pause, as
 * commands come after answers of a model.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createLocalExecutionEnvironment } from '@attractor/agent';
import { createSandbox, findSandbox } from '@attractor/confine';
import { median } from '../measuring/rounds.ts';

const ROUNDS = 60;
/** Longer than the kernel caches what it did for the previous command. */
const PAUSE_MS = 40;
/** The allowed extra time over a plain command, on a quiet machine. */
const MOST_MS = 15;

const COMMANDS = {
  true: 'true',
  'git status': 'git status --short',
  'sixty files': 'for i in {1..60}; do echo $i > f$i; done; rm f*',
};

const found = await findSandbox({ roots: [] });
if (!found.available) {
  console.log(`No sandbox here: ${found.reason}`);
  console.log(JSON.stringify({ bench: 'sandbox', skipped: found.reason }));
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'attractor-bench-'));
const looking = await timed(async () => void (await findSandbox({ roots: [] })));
execFileSync('git', ['init', '-q'], { cwd: folder });
writeFileSync(join(folder, 'a.txt'), 'one\n');
const sandbox = createSandbox({ bubblewrap: found, roots: [folder] });
const contenders = {
  plain: createLocalExecutionEnvironment(folder),
  sandboxed: createLocalExecutionEnvironment(folder, 'inherit_core', { sandbox }),
};

try {
  const results = [];
  for (const [what, command] of Object.entries(COMMANDS)) {
    const times = { plain: [] as number[], sandboxed: [] as number[] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const name of ['plain', 'sandboxed'] as const) {
        await wait(PAUSE_MS);
        const ms = await timed(async () => {
          const { exitCode, stderr } = await contenders[name].execCommand(command, 60_000);
          if (exitCode !== 0) throw new Error(`${what}, ${name}: ${stderr}`);
        });
        if (round > 0) times[name].push(ms);
      }
    }
    const [plain, sandboxed] = [median(times.plain), median(times.sandboxed)];
    results.push({ what, plainMs: round(plain), sandboxedMs: round(sandboxed), moreMs: round(sandboxed - plain) });
  }
  console.table(results);
  const met = results.every(({ moreMs }) => moreMs <= MOST_MS);
  console.log(`looking for it once: ${round(looking)} ms; load ${loadavg()[0]}`);
  console.log(`at most ${MOST_MS} ms more a command: ${met ? 'met' : 'MISSED'}`);
  console.log(
    JSON.stringify({ bench: 'sandbox', rounds: ROUNDS, lookingMs: round(looking), results, mostMs: MOST_MS, met }),
  );
  if (!met) process.exitCode = 1;
} finally {
  for (const environment of Object.values(contenders)) await environment.cleanup();
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
