import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Ended, makeFolder, runAttractor, startAttractor, until } from './attractor.ts';
import { demoFolders, type DemoRecord, readDemo } from './demo-record.ts';

const ONCE = ['demo', '--once', '--yes'];

/** Where the process is killed: the first moment at which this is seen from outside. */
type KillPoint = readonly [name: string, seen: (demo: DemoRecord) => boolean];

const KILL_POINTS: ReadonlyArray<KillPoint> = [
  ['while the sample is being made', (demo) => isBeingMade(demo.sample)],
  ['when the task was created', (demo) => hasEvent(demo, 'task.created')],
  ['in the first step of the plan', (demo) => stepEvents(demo, 'run.step_started', 'prepare') === 1],
  ['between the steps of the plan', (demo) => stepEvents(demo, 'run.step_finished', 'context') === 1],
  ['after the first answer of the model', (demo) => hasRecord(demo, 'plan', 'ASSISTANT_MESSAGE')],
  ['after a read has begun', (demo) => hasRecord(demo, 'plan', 'TOOL_CALL_START', 'read_file')],
  ['when the plan waits for approval', (demo) => hasEvent(demo, 'prompt.created')],
  ['when the plan was approved', (demo) => hasEvent(demo, 'prompt.answered')],
  ['while the checks run on the base commit', (demo) => stepEvents(demo, 'run.step_started', 'prepare') === 2],
  ['after an edit has begun', (demo) => hasRecord(demo, 'implement', 'TOOL_CALL_START', 'edit_file')],
  ["between a shell command's start and its end", (demo) => hasRecord(demo, 'implement', 'TOOL_CALL_START', 'shell')],
  ["right after a shell command's end", (demo) => hasRecord(demo, 'implement', 'TOOL_CALL_END', 'shell')],
  ['while the checks run on the branch', (demo) => stepEvents(demo, 'run.step_started', 'validate') === 2],
  ['when the transition is about to fire', (demo) => stepEvents(demo, 'run.step_started', 'trigger') === 2],
];

/** What is made beside its place has a name that begins so. */
function isBeingMade(place: string): boolean {
  const folder = path.dirname(place);
  return existsSync(folder) && readdirSync(folder).some((name) => /^\.clone-\w+$/.test(name));
}

/** Before there is a task, and between the start and the end of a command; all in a soak (SOAK=1). */
const POINTS = KILL_POINTS.filter((_point, index) => process.env['SOAK'] === '1' || index % 10 === 0);

describe('a demo that is killed goes on when it is started again, and does nothing twice', () => {
  test.concurrent.each(POINTS)('%s', async (_name, seen) => {
    const home = await killedAt(seen);
    const second = await runAttractor(ONCE, { home });
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toContain('Continuing the demo');
    expect([folderIn(second.stdout)]).toEqual(demoFolders(home));
    expectDoneOnce(second);
  });
});

/** The home of a demo that was killed there. Who looks now and then can miss a short moment: then another demo is begun. */
async function killedAt(seen: KillPoint[1]): Promise<string> {
  const home = makeFolder();
  const { child, ended } = startAttractor(ONCE, { home });
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  const isSeen = await until(() => {
    if (demoFolders(home).map(readDemo).some(seen)) return 'seen';
    return isOver() ? 'missed' : undefined;
  }, 'the point to kill at');
  child.kill('SIGKILL');
  const { signal, code } = await ended;
  if (isSeen === 'seen' && signal === 'SIGKILL') return home;
  expect(code).toBe(0);
  return killedAt(seen);
}

test('two fresh demos side by side share nothing, and each prints branch, check results, cost and address', async () => {
  const home = makeFolder();
  const both = await Promise.all([runAttractor(ONCE, { home }), runAttractor(ONCE, { home })]);
  for (const ended of both) {
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/fails on the base commit [0-9a-f]{8}/);
    expect(ended.stdout).toMatch(/passes on the branch [0-9a-f]{8}/);
    expect(ended.stdout).toMatch(/web app\s+http:\/\/127\.0\.0\.1:\d+\/tasks\/tsk_\w+#key=/);
    expectDoneOnce(ended);
  }
  const folders = both.map(({ stdout }) => folderIn(stdout));
  expect(folders.toSorted()).toEqual(demoFolders(home).toSorted());
  const ports = both.map((ended) => /127\.0\.0\.1:(\d+)/.exec(ended.stdout)?.[1]);
  expect(new Set(ports).size).toBe(2);
});

function folderIn(stdout: string): string {
  return /^(?:Demo in|Continuing the demo in) (.+)$/m.exec(stdout)?.[1] ?? '';
}

function expectDoneOnce(ended: Ended): void {
  const demo = readDemo(folderIn(ended.stdout));
  const branch = /branch\s+(agent\/\S+)/.exec(ended.stdout)?.[1] ?? '';
  expect(git(demo.sample, 'log', '--format=%s', `main..${branch}`)).toEqual([
    expect.stringContaining('Slugs must be safe in a URL'),
  ]);
  expect(git(demo.sample, 'diff', '--name-only', `main...${branch}`)).toEqual(['src/slugify.js']);
  expect(git(demo.sample, 'status', '--porcelain')).toEqual([]);
  for (const mode of ['plan', 'implement'] as const) expectCallsOnce(demo, mode);
  const statuses = demo
    .events()
    .filter((event) => event.type === 'status.changed')
    .map((event) => (event.data['task'] as { readonly status: string }).status);
  expect(statuses).toEqual(['planning', 'plan_review', 'implementing', 'pr_review']);
  expect(count(demo, 'agent.completed')).toBe(2);
  expect(count(demo, 'task.created')).toBe(1);
  expect(ended.stdout).toMatch(/cost\s+\$0\.\d+/);
}

/** Each call began once and ended once: what was interrupted was told so, and never run again. */
function expectCallsOnce(demo: DemoRecord, mode: 'plan' | 'implement'): void {
  const records = demo.journal(mode);
  const started = records.filter((record) => record.kind === 'TOOL_CALL_START').map((record) => record.toolCallId);
  const finished = records.filter((record) => record.kind === 'TOOL_CALL_END').map((record) => record.toolCallId);
  expect(new Set(started).size).toBe(started.length);
  expect(finished.toSorted()).toEqual(started.toSorted());
  expect(started.length).toBeGreaterThanOrEqual(mode === 'plan' ? 3 : 4);
}

function git(cwd: string, ...args: ReadonlyArray<string>): ReadonlyArray<string> {
  return execFileSync('git', args, { cwd, encoding: 'utf8' }).split('\n').filter(Boolean);
}

function count(demo: DemoRecord, type: string): number {
  return demo.events().filter((event) => event.type === type).length;
}

function hasEvent(demo: DemoRecord, type: string): boolean {
  return count(demo, type) > 0;
}

function stepEvents(demo: DemoRecord, type: string, step: string): number {
  return demo.events().filter((event) => event.type === type && event.data['step'] === step).length;
}

function hasRecord(demo: DemoRecord, mode: 'plan' | 'implement', kind: string, toolName?: string): boolean {
  return demo
    .journal(mode)
    .some((record) => record.kind === kind && (toolName === undefined || record.toolName === toolName));
}
