import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundledProgram, makeFolder, runs } from '@attractor/base/testing';
import { ENV, makeRepository } from '@attractor/repository/testing';
import { openStore } from '@attractor/store';
import { must } from '@attractor/store/testing';
import { startSimulator } from '@attractor/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { leftRunning } from '../left-running.ts';
import type { Held } from './test-support/held.ts';

/** A day, and the hours after which its transcripts are old. SOAK_HOURS: for a look that takes less than ten minutes. */
const HOURS = Number(process.env['SOAK_HOURS'] ?? 27);

async function startModel(): Promise<string> {
  const shell = (command: string) => ({ toolCalls: [{ use: 'shell' as const, command }] });
  const ready = [{ toolCalls: [{ name: 'report_outcome', args: { outcome: 'pr_ready' } }] }, { text: 'Finished.' }];
  const conversations = [
    // With a child of its own, which nobody may forget.
    { name: 'sleeps', match: { firstUser: 'Sleeps' }, turns: [shell('sleep 600 & sleep 600'), ...ready] },
    { name: 'writes', turns: [shell('date +%s%N >> made.txt'), ...ready] },
  ];
  const simulator = await startSimulator({ script: { conversations }, record: 'none' });
  onTestFinished(() => simulator.close());
  return simulator.baseUrls.anthropic;
}

const ready = { do: 'outcome', outcome: 'pr_ready' };
const AGENTS = {
  failing: [
    { do: 'output', text: 'I try.' },
    { do: 'error', message: 'It can not be done' },
  ],
  dying: [{ do: 'createFile', path: 'dying.txt', content: 'begun\n' }, { do: 'crash' }, ready],
  asking: [{ do: 'askHuman', toolName: 'shell', input: { command: 'make install' } }, ready],
};

function configure(home: string): void {
  const agents = Object.entries(AGENTS).map(([name, steps]) => [name, { type: 'scripted', scripts: [{ steps }] }]);
  writeFileSync(join(home, 'config.json'), JSON.stringify({ agents: Object.fromEntries(agents) }));
}

/** Soak only: each hour takes as long as the longest of its runs. */
it.skipIf(runs(0, 1) === 0)(`a server holds after ${HOURS} hours what it held after the first`, async () => {
  const folder = makeFolder();
  const [home, temporary] = [join(folder, 'home'), join(folder, 'tmp')];
  for (const name of [home, temporary]) mkdirSync(name);
  configure(home);
  const program = bundledProgram(join(import.meta.dirname, 'test-support/day-child.ts'));
  const args = [program, home, await makeRepository({ 'a.txt': 'a\n' }), await startModel(), String(HOURS)];
  const running = promisify(execFile)(process.execPath, args, { env: { ...ENV, TMPDIR: temporary } });
  running.child.stdout?.on('data', (told: string) => void writeSync(2, told));
  const { stdout } = await running;
  const held: ReadonlyArray<Held & { readonly hour: number }> = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const [first, last] = [held[0], held.at(-1)];
  if (first === undefined || last === undefined) throw new Error('It told what it held');
  expect(held).toHaveLength(HOURS);
  const { hour: _first, descriptors: few, branches, ...before } = first;
  const { hour: _last, descriptors: many, branches: all, ...after } = last;
  expect(after).toEqual(before);
  expect(before).toMatchObject({ temporary: [], worktrees: [], locks: [], leases: [], runFiles: [], refs: [] });
  expect(many, stdout).toBeLessThanOrEqual(few + 2);
  expect(all).toBe(branches * HOURS);
  expect(leftRunning(folder)).toEqual([]);
  const store = must(await openStore({ home }));
  const ended = await store.read.selectFrom('runs').select('status').execute();
  const waiting = await store.read.selectFrom('prompts').select('id').where('status', '=', 'pending').execute();
  const fired = await store.read.selectFrom('events').select('seq').where('type', '=', 'schedule.fired').execute();
  await store.close();
  expect(waiting).toEqual([]);
  expect(fired).toHaveLength(HOURS);
  expect(existsSync(join(home, 'archive'))).toBe(HOURS > 25);
  // In each hour one that can't be done, and one whose agent died and was tried again.
  const least = { cancelled: 1, completed: 6, failed: 2, timeout: 1 };
  for (const [status, count] of Object.entries(least))
    expect(ended.filter((run) => run.status === status).length, status).toBeGreaterThanOrEqual(count * HOURS);
});
