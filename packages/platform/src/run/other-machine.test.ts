import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bundledProgram, compileCache } from '@attractor/base/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { unconfined } from '@attractor/run';
import { createScriptedAgent } from '@attractor/adapters';
import { openPlatform, openPlatformOn, type Platform } from '../platform.ts';
import { makeFolder, must, PERSON } from '@attractor/store/testing';
import { openedDatabase } from '../test-support/opened-database.ts';
import { ENV, git, makeRepository } from '@attractor/repository/testing';
import { statusOf, until } from '../test-support/world.ts';
import { openStore, RUN_STEPS, type Store } from '@attractor/store';

const CHILD = join(import.meta.dirname, '../test-support/takeover-child.ts');
function startMachine(home: string, databaseUrl: string, delayMs: number): ChildProcess {
  const child = spawn(process.execPath, [bundledProgram(CHILD), home, databaseUrl, String(delayMs)], {
    stdio: ['pipe', 'ignore', 'inherit'],
    env: { PATH: ENV.PATH, HOME: ENV.HOME, ...compileCache() },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** What is left uncommitted is kept by Git LFS. */
const FILES = { 'old.txt': 'old\n', '.gitattributes': 'left.txt filter=lfs -text\n' };

/** A bare remote, and a clone of it as a person has it. */
async function makeRemote(): Promise<{ readonly remote: string; readonly clone: string }> {
  const folder = makeFolder();
  const [remote, clone] = [join(folder, 'remote.git'), join(folder, 'clone')];
  await git(folder, 'clone', '--quiet', '--bare', '--', await makeRepository(FILES), remote);
  await git(folder, 'clone', '--quiet', '--', remote, clone);
  return { remote, clone };
}

async function observe(databaseUrl: string): Promise<Platform> {
  const opened = await openPlatform({
    home: makeFolder(),
    databaseUrl,
    agents: [],
    defaultAgentType: 'scripted',
    env: ENV,
    confine: unconfined,
    concurrency: 0,
  });
  const platform = must(opened);
  onTestFinished(() => platform.close());
  return platform;
}

/** Resolves when the remote has the half of the work that the agent left uncommitted, and the agent's memory of it. */
async function untilCarried(remote: string, runId: string): Promise<void> {
  const deadline = performance.now() + 600_000;
  const ask = (...args: ReadonlyArray<string>): Promise<string> => git(remote, '--git-dir', remote, ...args);
  while (performance.now() < deadline) {
    const refs = (await ask('for-each-ref', '--format=%(refname)', `refs/attractor/${runId}/state/`)).split('\n');
    for (const ref of refs.filter((name) => name !== '')) {
      const memory = await ask('show', `${ref}:scripted.jsonl`).catch(() => '');
      const files = await ask('ls-tree', '--name-only', ref.replace('/state/', '/')).catch(() => '');
      if (memory.includes('"index":4') && files.includes('left.txt')) return;
    }
    await sleep(50);
  }
  throw new Error('Nothing was carried to the remote');
}

async function untilCleanedUp(platform: Platform, taskId: string): Promise<void> {
  const deadline = performance.now() + 600_000;
  for (;;) {
    const events = await platform.workflow.events({ taskId, limit: 10_000 });
    if (events.some(({ type, data }) => type === 'run.step_finished' && data['step'] === 'cleanup')) return;
    if (performance.now() > deadline) throw new Error(`It got no further than: ${events.at(-1)?.summary ?? ''}`);
    await sleep(50);
  }
}

describe('a machine that is lost in the middle of a run', () => {
  it('is followed by another one that finds the work in git and goes on with the same conversation', async () => {
    const { remote, clone } = await makeRemote();
    const databaseUrl = await openedDatabase();
    const platform = await observe(databaseUrl);
    const project = must(await platform.workflow.createProject({ path: clone }, PERSON));
    const config = { git: { remoteUrl: remote } };
    must(await platform.workflow.updateProject(project.id, { config }, PERSON));
    const task = must(await platform.workflow.createTask({ projectId: project.id, title: 'Two halves' }, PERSON));
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    const first = startMachine(makeFolder(), databaseUrl, 600_000);
    await until(platform, { taskId: task.id }, (events) =>
      events.some(({ type, summary }) => type === 'agent.message' && summary === 'Half done.'),
    );
    const [run] = await platform.workflow.listRuns({ taskId: task.id });
    await untilCarried(remote, run?.id ?? '');
    first.kill('SIGKILL');
    await once(first, 'exit');
    renameSync(clone, `${clone}-lost`);

    const home = makeFolder();
    const second = startMachine(home, databaseUrl, 0);
    await untilCleanedUp(platform, task.id);
    // The branch is pushed from the machine's own clone, and what carried the work goes then.
    const refsOf = (under: string) =>
      git(remote, '--git-dir', remote, 'for-each-ref', '--format=%(contents:subject)', under);
    await expect.poll(() => refsOf('refs/heads/agent/')).toBe('Two halves');
    await expect.poll(() => refsOf('refs/attractor/')).toBe('');
    second.stdin?.end();
    await once(second, 'exit');
    const runs = await platform.workflow.listRuns({ taskId: task.id });
    expect(runs).toMatchObject([{ id: run?.id, status: 'completed', outcome: 'pr_ready' }]);
    expect(await statusOf(platform, task.id)).toBe('pr_review');
    const worktree = runs[0]?.worktree ?? '';
    expect(worktree.startsWith(join(home, 'repositories', project.id))).toBe(true);
    expect(await git(worktree, 'log', '--format=%s', 'origin/main..HEAD')).toBe('Two halves\nThe first half');
    expect(['committed.txt', 'left.txt', 'rest.txt'].map((name) => readFileSync(join(worktree, name), 'utf8'))).toEqual(
      ['one\n', 'two\n', 'three\n'],
    );
    expect(existsSync(join(worktree, 'old.txt'))).toBe(false);
    expect(await git(worktree, 'show', 'HEAD:left.txt')).toMatch(/^version https:\/\/git-lfs/);
    // A git without the filter takes contents for a change, whenever it looks into the file at all.
    const filter = ['filter.lfs.process=git-lfs filter-process', 'filter.lfs.required=true'].flatMap((it) => [
      '-c',
      it,
    ]);
    expect(await git(worktree, ...filter, 'status', '--porcelain')).toBe('');
    const events = await platform.workflow.events({ runId: run?.id ?? '', limit: 10_000 });
    expect(events.filter((event) => event.type === 'run.step_finished').map(({ data }) => data.step)).toEqual(
      RUN_STEPS,
    );
    expect(events.filter(({ type }) => type === 'work.taken_over')).toHaveLength(1);
    const messages = events
      .filter((event) => event.type === 'agent.message')
      .map(({ data }) => JSON.stringify(data.message));
    expect(new Set(messages).size).toBe(messages.length);
  });
});

const WORK = [
  { do: 'createFile', path: 'new.txt', content: 'new\n' },
  { do: 'outcome', outcome: 'pr_ready' },
] as const;

/** A store that does not answer who looks at its claim, beside its transactions, when `cuts` says so: only the carrier does. */
function cutLooks(store: Store, cuts: () => boolean): Store {
  const read = store.read.withPlugin({
    transformQuery: ({ node }) => {
      const query = JSON.stringify(node);
      const isLook = ['jobs', 'fence'].every((name) => query.includes(`"${name}"`)) && !query.includes('"runs"');
      if (isLook && cuts()) throw new Error('Connection terminated');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  return { ...store, read };
}

describe('a run whose work could not be carried once, because the database did not answer', () => {
  it('goes on, and its agent is not called again', async () => {
    const { clone } = await makeRemote();
    const store = must(await openStore({ databaseUrl: await openedDatabase() }));
    const cut = Promise.withResolvers<void>();
    let [isToCut, calls] = [false, 0];
    const unexpected: unknown[] = [];
    const working = createScriptedAgent([{ steps: WORK }]);
    const agent: typeof working = {
      ...working,
      run: async (options) => {
        calls += 1;
        isToCut = calls === 1;
        await cut.promise;
        return working.run(options);
      },
    };
    const cutting = cutLooks(store, () => {
      const isCut = isToCut;
      if (isCut) cut.resolve();
      isToCut = false;
      return isCut;
    });
    const options = { home: makeFolder(), agents: [agent], env: ENV, confine: unconfined, concurrency: 1 };
    const onUnexpected = (error: unknown): void => void unexpected.push(error);
    const platform = must(await openPlatformOn(cutting, { ...options, onUnexpected, supervise: false }));
    onTestFinished(() => platform.close());
    const project = must(await platform.workflow.createProject({ path: clone }, PERSON));
    const task = must(await platform.workflow.createTask({ projectId: project.id, title: 'Carried' }, PERSON));
    must(await platform.workflow.transition({ taskId: task.id, to: 'implementing' }, PERSON));
    await untilCleanedUp(platform, task.id);
    expect({ calls, unexpected }).toEqual({ calls: 1, unexpected: [] });
    expect(await platform.workflow.listRuns({ taskId: task.id })).toMatchObject([{ status: 'completed' }]);
  });
});
