import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PlatformEvent } from '@attractor/store';
import { makeFolder, must, PERSON, startProxy } from '@attractor/store/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  addProject,
  beginTask,
  endWorker,
  expireLeases,
  openCountingWorld,
  startModel,
  startWorker,
  untilTrue,
} from '../test-support/counting-world.ts';

/** The call in which its worker is lost. */
const LOST_IN = 2;

/** Each call leaves its number outside the repository, and one of them waits there. */
function waitingIn(outside: string): ReadonlyArray<string> {
  return [
    `echo $1 >> '${outside}/count'; echo $1 >> counted.txt`,
    `if [ $1 = ${LOST_IN} ] && ! [ -e '${outside}/reached' ]; then echo $$ > '${outside}/reached'; until [ -e '${outside}/go' ]; do sleep 0.05; done; fi`,
  ];
}

/** Each loss, in the same home and without what the first one had; all of them in a soak (SOAK=1). */
const CASES = [
  { loss: 'frozen', next: 'in the same home' },
  { loss: 'killed', next: 'on another machine' },
  { loss: 'killed', next: 'in another home, without a remote' },
  { loss: 'killed', next: 'in another home' },
  { loss: 'frozen', next: 'on another machine' },
  { loss: 'killed', next: 'in the same home' },
  { loss: 'frozen', next: 'in another home' },
  { loss: 'cut off', next: 'in another home' },
].slice(0, process.env['SOAK'] === '1' ? undefined : 3);

/** With all that it has started, as a machine that sleeps. The last of them is to wake first. */
function freeze({ pid = 0 }: ChildProcess): ReadonlyArray<number> {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  const all = [pid, ...children.map(Number)];
  for (const one of all) process.kill(one, 'SIGSTOP');
  return all.toReversed();
}

/** Nobody tells a worker that is cut off: what it has running ends with its lease. */
async function untilCallEnds(outside: string): Promise<void> {
  const pid = readFileSync(join(outside, 'reached'), 'utf8').trim();
  await untilTrue(() => !existsSync(`/proc/${pid}`));
}

const isStart = ({ type }: PlatformEvent): boolean => type === 'agent.tool_use';

describe('a worker that is lost in the middle of a call', () => {
  it.each(CASES)('($loss) is followed by one $next that runs no call again', async ({ loss, next }) => {
    const world = await openCountingWorld();
    const { workflow } = world.platform;
    const outside = makeFolder();
    const simulator = await startModel(4);
    const project = await addProject(world, waitingIn(outside));
    const { clone } = project;
    const taskId = await beginTask(world, project, 1);
    if (next.endsWith('without a remote')) execFileSync('git', ['-C', clone, 'remote', 'remove', 'origin']);
    const home = makeFolder();
    const line = await startProxy(world.databaseUrl);
    onTestFinished(() => line.close());
    const first = startWorker({ ...world, databaseUrl: line.url }, { home }, simulator);
    await untilTrue(() => existsSync(join(outside, 'reached')));
    // Frozen in a transaction, it would hold up everybody until the server gives up on it.
    await untilTrue(async () => (await workflow.events({ taskId, limit: 1_000 })).filter(isStart).length === LOST_IN);
    const stopped = loss === 'frozen' ? freeze(first) : [];
    if (loss === 'cut off') line.hangUp();
    if (loss === 'killed') first.kill('SIGKILL');
    if (loss === 'killed') await once(first, 'exit');
    const refs = execFileSync('git', ['-C', clone, 'for-each-ref', 'refs/attractor/'], { encoding: 'utf8' });
    expect(refs.includes('/run_')).toBe(!next.endsWith('without a remote'));
    await expireLeases(world, first);
    if (next === 'on another machine') renameSync(clone, `${clone}-lost`);

    const second = startWorker(world, { home: next === 'in the same home' ? home : makeFolder() }, simulator);
    await untilTrue(async () => (await workflow.listRuns({ taskId })).every(({ status }) => status !== 'running'));
    expect(await workflow.listRuns({ taskId })).toMatchObject([{ status: 'completed', outcome: 'pr_ready' }]);
    if (loss === 'cut off') await untilCallEnds(outside);
    writeFileSync(join(outside, 'go'), '');
    line.takeAgain();
    const isDeleted = loss === 'frozen' && next === 'in the same home';
    if (isDeleted) must(await workflow.deleteTask({ taskId }, PERSON));
    const told = await workflow.lastSeq();
    for (const pid of stopped) process.kill(pid, 'SIGCONT');
    await endWorker(first);
    await endWorker(second);

    if (isDeleted) expect(await workflow.events({ after: told, limit: 10 })).toEqual([]);
    expect(readFileSync(join(outside, 'count'), 'utf8')).toBe('1\n2\n3\n4\n');
    const asked = simulator.requests().map((request) => JSON.stringify(request));
    expect(asked.filter((request) => request.includes('the process stopped while this ran'))).not.toHaveLength(0);
    expect(asked.some((request) => request.includes('The machine that this work was done on is gone'))).toBe(
      next === 'on another machine',
    );
    expect(await world.store.read.selectFrom('run_files').selectAll().execute()).toEqual([]);
  });
});
