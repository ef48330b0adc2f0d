/**
 * Whole runs, four at once: `node whole-runs.ts floor|platform HOME MODEL [DATABASE [WORKERS]]` carries out as many as each line of its input
 * says, and prints how long they took. The floor does what any run must do: a worktree, a process that asks the model three times and writes
 * a file, a commit, the worktree removed. The platform has the same process as its agent. WORKERS: it works in as many processes of their own
 * (`worker`), each with four at once.
 */
import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createCliAgent } from '@attractor/adapters';
import { defined } from '@attractor/base';
import { openPlatform, unconfined } from '@attractor/platform';
import { ended, type Program, startProgram } from '../measuring/program.ts';

const [way = '', home = '', model = '', databaseUrl, workersText = '0'] = process.argv.slice(2);
const workers = Number(workersText);
const AT_ONCE = 4;
const AGENT = [process.execPath, join(import.meta.dirname, 'three-asks.mjs'), model] as const;
const PERSON = { type: 'user', name: 'Ada' } as const;
const AUTHOR = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.invalid'];
const run = promisify(execFile);

const repository = join(home, 'repository');
if (way === 'worker') await workUntilTold();
else {
  makeRepository(repository);
  const { work, close } = way === 'floor' ? floor() : await platform();
  for await (const line of createInterface(process.stdin))
    console.log(JSON.stringify({ wallMs: await work(Number(line)) }));
  await close();
}

type Way = { readonly work: (runs: number) => Promise<number>; readonly close: () => Promise<void> };

function makeRepository(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  const git = (...args: ReadonlyArray<string>): unknown => execFileSync('git', args, { cwd: folder });
  git('init', '-q', '-b', 'main');
  git('add', '--all');
  git(...AUTHOR, 'commit', '-q', '-m', 'first');
}

function floor(): Way {
  let done = 0;
  const work = async (runs: number): Promise<number> => {
    const began = performance.now();
    await runsUpTo(done + runs, done);
    done += runs;
    return performance.now() - began;
  };
  return { work, close: async () => undefined };
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
  const child = startProgram(import.meta.filename, ['worker', home, model, databaseUrl ?? '']);
  await once(child.stdout, 'data');
  return child;
}

async function platform(): Promise<Way> {
  const { workflow, worker, close } = await open(workers === 0 ? AT_ONCE : 0);
  const others = await Promise.all(Array.from({ length: workers }, startWorker));
  const untilDone = async (): Promise<void> => {
    if (workers === 0) return worker.idle();
    while ((await workflow.listRuns({ status: 'running' })).length > 0) await sleep(50);
  };
  const project = await workflow.createProject({ path: repository }, PERSON);
  if (!project.ok) throw new Error(project.error.message);
  let wanted = 0;
  const work = async (runs: number): Promise<number> => {
    await workflow.pauseQueue({}, PERSON);
    for (let number = 1; number <= runs; number += 1) {
      const task = await workflow.createTask({ projectId: project.value.id, title: `Task ${number}` }, PERSON);
      if (task.ok) await workflow.startAgent({ taskId: task.value.id, mode: 'implement' }, PERSON);
    }
    const began = performance.now();
    await workflow.resumeQueue({}, PERSON);
    await untilDone();
    const took = performance.now() - began;
    wanted += runs;
    const completed = (await workflow.listRuns({ status: 'completed' })).length;
    if (completed !== wanted) throw new Error(`${completed} of ${wanted} runs were completed`);
    return took;
  };
  return {
    work,
    close: async () => {
      for (const { stdin } of others) stdin.end();
      await Promise.all(others.map(ended));
      await close();
    },
  };
}
