/**
 * The cost of snapshots: of 1,000 and 10,000 files; the first one, one changed file, nothing changed; compared with a bare `git status`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openUndo, type Undo } from '@attractor/undo';
import { runGit } from '@attractor/git';

import { report } from '../measuring/report.ts';
import { takeTurns } from '../measuring/rounds.ts';
import type { Cost } from '../measuring/rounds.ts';

const ROUNDS = 9;
const folder = mkdtempSync(join(tmpdir(), 'attractor-bench-'));

try {
  for (const files of [1_000, 10_000]) await measure(files);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(files: number): Promise<void> {
  const workspace = makeRepository(files);
  const state = (name: string): string => join(folder, `${files}-${name}`);
  let fresh = 0;
  const undo = await open(workspace, state('kept'));
  await undo.snapshot({ turn: 0, by: 'person' });
  let turn = 0;
  report({
    bench: `undo/${files}`,
    what: `one snapshot of ${files} files (median of ${ROUNDS}, taking turns; cpu and memory of this process alone)`,
    standings: await takeTurns(
      [
        { name: 'git status', run: () => timed(() => runGit(['status', '--porcelain'], { cwd: workspace })) },
        { name: 'nothing changed', run: () => timed(() => undo.snapshot({ turn })) },
        {
          name: 'one file changed',
          run: () => {
            turn += 1;
            writeFileSync(join(workspace, 'd0/f0.ts'), `export const turn = ${turn};\n`);
            return timed(() => undo.snapshot({ turn }));
          },
        },
        { name: 'preview of a rewind by one turn', run: () => timed(() => undo.preview({ turn: turn - 1 })) },
        {
          name: 'rewind by one turn',
          run: () => timed(() => undo.rewind({ turn: turn - 1 })),
        },
        {
          name: 'the first snapshot',
          run: async () => {
            fresh += 1;
            const first = await open(workspace, state(`first-${fresh}`));
            const cost = await timed(() => first.snapshot({ turn: 0 }));
            await first.close();
            return cost;
          },
        },
      ],
      ROUNDS,
    ),
  });
  console.log();
  await undo.close();
}

function makeRepository(files: number): string {
  const workspace = join(folder, `workspace-${files}`);
  for (let index = 0; index < files; index += 1) {
    const at = join(workspace, `d${index % Math.ceil(files / 50)}`);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, `f${index}.ts`), `export const value${index} = ${index};\n`.repeat(60));
  }
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd: workspace });
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.test', 'commit', '-q', '-m', 'first');
  return workspace;
}

async function open(workspace: string, statePath: string): Promise<Undo> {
  const opened = await openUndo({ workspace, statePath });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value.undo;
}

async function timed(run: () => Promise<object>): Promise<Cost> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  const outcome = await run();
  const wallMs = performance.now() - started;
  if ('ok' in outcome && outcome.ok === false) throw new Error(JSON.stringify(outcome));
  const { user, system } = process.cpuUsage(cpu);
  return { wallMs, cpuMs: (user + system) / 1000, peakMb: process.memoryUsage().rss / 2 ** 20 };
}
