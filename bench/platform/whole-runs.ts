/**
 * Whole runs, four at once: `node whole-runs.ts floor|platform COUNT HOME MODEL [DATABASE [WORKERS]]` prints how long COUNT of them took,
 * after a few that are not counted: a worker runs for days, and its first runs load what the others need. The floor does what any run must
 * do: a worktree, a process that asks the model three times and writes a file, a commit, the worktree removed. The platform has the same
 * process as its agent. WORKERS: it works in as many processes of their own (`worker`), each with four at once.
 */
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createCliAgent } from '@attractor/adapters';
import { defined } from '@attractor/base';
import { openPlatform, unconfined } from '@attractor/platform';
import { ended, type Program, startProgram } from '../measuring/program.ts';

const [way = '', countText = '0', home = '', model = '', databaseUrl, workersText = '0'] = process.argv.slice(2);
const [count, workers] = [Number(countText), Number(workersText)];
const AT_ONCE = 4;
const UNCOUNTED = 8;
/** Of each worker: one that has done all of the work until then is no measure for several of which each has done a part. */
const UNCOUNTED_EACH = 24;
const AGENT = [process.execPath, join(import.meta.dirname, 'three-asks.mjs'), model] as const;
const PERSON = { type: 'user', name: 'Ada' } as const;
const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid'];
const run = promisify(execFile);

const repository = join(home, 'repository');
if (way === 'worker') await workUntilTold();
else {
  makeRepository(repository);
  const wallMs = way === 'floor' ? await floor() : await platform();
  console.log(JSON.stringify({ wallMs }));
}

function makeRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  const git = (...args: ReadonlyArray<string>): unknown => execFileSync('git', args, { cwd: folder });
  git('init', '-q', '-b', 'main');
  git('add', '--all');
  git(...AUTHOR, 'commit', '-q', '-m', 'first');
}

async function floor(): Promise<number> {
  await runsUpTo(UNCOUNTED, 0);
  const began = performance.now();
  await runsUpTo(UNCOUNTED + count, UNCOUNTED);
  return performance.now() - began;
}

async function runsUpTo(last: number, before: number): Promise<void> {
  let next = before;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (next < last) await oneRun((next += 1));
    }),
  );
}

async function oneRun(number: number): Promise<void> {
  const worktree = join(home, `worktree-${number}`);
  const [program, ...args] = AGENT;
  await again(
    () => run('git', ['worktree', 'add', '-q', '-B', `work-${number}`, worktree], { cwd: repository }),
    () => run('rm', ['-rf', worktree]),
  );
  await run(program, args, { cwd: worktree });
  await run('git', ['add', '--all'], { cwd: worktree });
  await run('git', [...AUTHOR, 'commit', '-q', '-m', 'work'], { cwd: worktree });
  await again(() => run('git', ['worktree', 'remove', worktree], { cwd: repository }));
}

/** Git now and then reads the entry of another worktree while that is being made, and gives up: any script has to try again. */
async function again(act: () => Promise<unknown>, clean?: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await act();
      return;
    } catch (error) {
      if (attempt === 5) throw error;
      await clean?.();
    }
}

async function open(concurrency: number) {
  const agent = createCliAgent({
    type: 'asks',
    definition: { command: [...AGENT], env: [], output: 'text', lines: [] },
    env: process.env,
  });
  const opened = await openPlatform({
    home,
    ...defined({ databaseUrl }),
    agents: [agent],
    env: process.env,
    confine: unconfined,
    concurrency,
    onUnexpected: (error) => console.error(error),
  });
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

async function workUntilTold(): Promise<void> {
  const { close } = await open(AT_ONCE);
  console.log('ready');
  process.stdin.resume();
  await once(process.stdin, 'end');
  await close();
}

async function startWorker(): Promise<Program> {
  const child = startProgram(import.meta.filename, ['worker', '0', home, model, databaseUrl ?? '']);
  await once(child.stdout, 'data');
  return child;
}

async function platform(): Promise<number> {
  const { workflow, worker, close } = await open(workers === 0 ? AT_ONCE : 0);
  const others = await Promise.all(Array.from({ length: workers }, startWorker));
  const untilDone = async (): Promise<void> => {
    if (workers === 0) return worker.idle();
    while ((await workflow.listRuns({ status: 'running' })).length > 0) await sleep(50);
  };
  const project = await workflow.createProject({ path: repository }, PERSON);
  if (!project.ok) throw new Error(project.error.message);
  const work = async (tasks: number): Promise<number> => {
    await workflow.pauseQueue({}, PERSON);
    for (let number = 1; number <= tasks; number += 1) {
      const task = await workflow.createTask({ projectId: project.value.id, title: `Task ${number}` }, PERSON);
      if (task.ok) await workflow.startAgent({ taskId: task.value.id, mode: 'implement' }, PERSON);
    }
    const began = performance.now();
    await workflow.resumeQueue({}, PERSON);
    await untilDone();
    return performance.now() - began;
  };
  const uncounted = workers === 0 ? UNCOUNTED : UNCOUNTED_EACH * workers;
  await work(uncounted);
  const took = await work(count);
  const completed = (await workflow.listRuns({ status: 'completed' })).length;
  if (completed !== uncounted + count) throw new Error(`${completed} of ${uncounted + count} runs were completed`);
  for (const { stdin } of others) stdin.end();
  await Promise.all(others.map(ended));
  await close();
  return took;
}
