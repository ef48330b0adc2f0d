/**
 * What a sandbox adds to a command in the local environment: plain and sandboxed commands take turns in one process, each after a pause, as
 * commands come after answers of a model. What is compared stands side by side in each round, so that a busy moment hits all alike, and
 * the medians of the rounds' ratios and differences count. `--against FOLDER` takes another checkout's sandbox along in the same rounds.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createLocalExecutionEnvironment } from '@attractor/agent';
import { createSandbox, findSandbox } from '@attractor/confine';
import { median } from '../measuring/rounds.ts';

const ROUNDS = 150;
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

const folder = makeFolder();
const looking = await timed(async () => void (await findSandbox({ roots: [] })));
const sandbox = createSandbox({ bubblewrap: found, roots: [folder] });
const other = await sandboxOf(process.argv[process.argv.indexOf('--against') + 1], process.argv.includes('--against'));
const contenders: Readonly<Record<string, Runner>> = {
  plain: createLocalExecutionEnvironment(folder),
  sandboxed: createLocalExecutionEnvironment(folder, 'inherit_core', { sandbox }),
  ...(other === null ? {} : { other: other.environment }),
};

try {
  const results = [];
  for (const [what, command] of Object.entries(COMMANDS)) {
    const times: Record<string, number>[] = [];
    for (let turn = 0; turn <= ROUNDS; turn += 1) {
      const names = Object.keys(contenders);
      const took: Record<string, number> = {};
      // Nobody is always the first after the pause of the round before.
      for (const name of turn % 2 === 0 ? names : names.toReversed()) {
        await wait(PAUSE_MS);
        took[name] = await timed(async () => {
          const { exitCode, stderr } = (await contenders[name]?.execCommand(command, 60_000)) ?? {};
          if (exitCode !== 0) throw new Error(`${what}, ${name}: ${stderr}`);
        });
      }
      if (turn > 0) times.push(took);
    }
    results.push({ what, ...standingOf(times) });
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
  await other?.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Each checkout has its own: an older one can't start where a newer one has been. */
function makeFolder(): string {
  const made = mkdtempSync(join(tmpdir(), 'attractor-bench-'));
  execFileSync('git', ['init', '-q'], { cwd: made });
  writeFileSync(join(made, 'a.txt'), 'one\n');
  return made;
}

type Runner = {
  readonly execCommand: (
    command: string,
    timeoutMs: number,
  ) => Promise<{ readonly exitCode: number | null; readonly stderr: string }>;
  readonly cleanup: () => Promise<void>;
};

/** What another checkout has under these names, wherever its packages keep it. */
type Checkout = {
  readonly createLocalExecutionEnvironment: (folder: string, variables: string, given: object) => Runner;
  readonly createSandbox: (policy: object) => { readonly close: () => Promise<void> };
};

async function sandboxOf(
  at: string | undefined,
  isWanted: boolean,
): Promise<{ readonly environment: Runner; readonly close: () => Promise<void> } | null> {
  if (!isWanted || at === undefined) return null;
  const parts = ['agent', 'confine'].map((name) => join(at, 'packages', name, 'src/index.ts')).filter(existsSync);
  const theirs: Checkout = Object.assign({}, ...(await Promise.all(parts.map((file) => import(file)))));
  const own = makeFolder();
  const box = theirs.createSandbox({ bubblewrap: found, roots: [own] });
  return {
    environment: theirs.createLocalExecutionEnvironment(own, 'inherit_core', { sandbox: box }),
    close: async () => {
      await box.close();
      rmSync(own, { recursive: true, force: true });
    },
  };
}

/** Medians over rounds: of the times, and of what a round's commands had more than each other. */
function standingOf(times: ReadonlyArray<Readonly<Record<string, number>>>) {
  const of = (name: string, over?: string): ReadonlyArray<number> =>
    times.map((took) => (took[name] ?? 0) / (over === undefined ? 1 : (took[over] ?? 1)));
  return {
    plainMs: round(median(of('plain'))),
    sandboxedMs: round(median(of('sandboxed'))),
    moreMs: round(median(times.map((took) => (took['sandboxed'] ?? 0) - (took['plain'] ?? 0)))),
    ratio: round(median(of('sandboxed', 'plain'))),
    ...(times[0]?.['other'] === undefined
      ? {}
      : { otherMs: round(median(of('other'))), overOther: round(median(of('sandboxed', 'other'))) }),
  };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

function round(ms: number): number {
  return Math.round(ms * 100) / 100;
}
