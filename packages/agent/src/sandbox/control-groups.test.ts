import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import { ownIdentity } from '../execution/survivors.ts';
import { until } from '../test-support/until.ts';
import { COUNT, createControlGroups, JOIN, type ControlGroups } from './control-groups.ts';
import { preparationText } from './launch-text.ts';
import { sandboxWorld } from './test-support/sandbox-world.ts';

const MOST = 40;

function groupsOrSkip({ skip }: Pick<TestContext, 'skip'>): ControlGroups {
  const groups = process.getuid?.() === 0 ? createControlGroups(MOST) : null;
  if (groups === null) skip('no control group for processes here: not root, or no pids controller');
  if (groups === null) throw new Error('skipped');
  onTestFinished(groups.close);
  return groups;
}

/** Something that a command left running in its group. */
function leftover(group: string): ChildProcess {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  writeFileSync(path.join(group, JOIN), String(child.pid));
  return child;
}

test('a control group is taken by one at a time, and not again before its last process has ended', async (context) => {
  const groups = groupsOrSkip(context);
  const [one, other] = [groups.take(), groups.take()];
  expect(one.at).not.toBe(other.at);
  expect(readFileSync(path.join(one.at, 'pids.max'), 'utf8')).toBe(`${MOST}\n`);
  const left = leftover(one.at);
  one.giveBack();
  const third = groups.take();
  expect(third.at).not.toBe(one.at);
  left.kill('SIGKILL');
  await once(left, 'exit');
  expect(groups.take().at).toBe(one.at);
  await groups.close();
  expect([one, other, third].filter(({ at }) => existsSync(at))).toEqual([]);
});

test('control groups that a killed process left are removed, those of one that lives are not', (context) => {
  const parent = path.dirname(groupsOrSkip(context).take().at);
  const [namespace, pid] = ownIdentity().split('-');
  const [orphaned, living] = [`${namespace}-${pid}-1`, ownIdentity()].map((owner) =>
    path.join(parent, `attractor_left@${owner}`),
  ) as [string, string];
  for (const group of [orphaned, living]) mkdirSync(group);
  onTestFinished(() => rmdirSync(living));
  groupsOrSkip(context);
  expect([existsSync(orphaned), existsSync(living)]).toEqual([false, true]);
});

test('a bash that prepares for a command joins the first group that nobody is in, and none when there is no such', (context) => {
  const groups = groupsOrSkip(context);
  const [busy, free] = [groups.take().at, groups.take().at];
  leftover(busy);
  const prepared = (among: ReadonlyArray<string>): string => {
    const { script } = preparationText({ filter: null, kilobytes: 64 }, among);
    const print = `echo "ready $attractor_ready"; ulimit -f; cat /proc/self/cgroup`;
    return spawnSync('/bin/bash', ['-c', `${script}; ${print}`], { encoding: 'utf8' }).stdout;
  };
  expect(prepared([busy, free])).toMatch(new RegExp(`^ready 1\n64\n[^]*${path.basename(free)}`));
  expect(prepared([busy])).toMatch(/^ready \n64\n/);
  expect(prepared([busy])).not.toContain(path.basename(busy));
});

test('the shell that waits for the next command has joined a group for it already', async (context) => {
  const parent = path.dirname(groupsOrSkip(context).take().at);
  const world = await sandboxWorld(context);
  await world.run('true');
  await until(() => counted(parent).some(isWaiting) && counted(parent).length === 1);
  const [waiting] = counted(parent);
  const running = world.run('sleep 0.3');
  await until(() => Number(counted(parent)[0]?.count) > 1);
  expect(counted(parent)).toEqual([{ group: waiting?.group, count: expect.any(Number) }]);
  await running;
});

type Counted = { readonly group: string; readonly count: number };

/** Groups of this process in which somebody is. */
function counted(parent: string): ReadonlyArray<Counted> {
  return readdirSync(parent)
    .filter((name) => name.endsWith(`@${ownIdentity()}`))
    .map((name) => path.join(parent, name))
    .map((group) => ({ group, count: Number(readFileSync(path.join(group, COUNT), 'utf8')) }))
    .filter(({ count }) => count > 0);
}

function isWaiting({ group }: Counted): boolean {
  const pid = readFileSync(path.join(group, JOIN), 'utf8').trim();
  return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'bash\n';
}

/** Starts processes until it may not, writes down how many, and waits with them for `go`. */
const forks = (written: string): string =>
  `perl -e 'for (1..${2 * MOST}) { my $p = fork(); last unless defined $p; if (!$p) { sleep 60; exit } $n++ } ` +
  `open(F, ">", "${written}.part"); print F $n; close F; rename "${written}.part", "${written}"; ` +
  `select(undef, undef, undef, 0.02) while !-e "go"; kill 9, -getpgrp'`;

test('processes are bounded for each command by itself, whoever starts it and whatever runs beside it', async (context) => {
  groupsOrSkip(context);
  const world = await sandboxWorld(context, { maxProcesses: MOST });
  const place = (name: string): string => path.join(world.root, name);
  await world.run('true');
  // One by the standing shell and, while it is at work, one by us; then one more by the standing shell.
  const both = [world.run(forks('one')), world.run(forks('two'))];
  await until(() => existsSync(place('one')) && existsSync(place('two')));
  writeFileSync(place('go'), '');
  await Promise.all(both);
  await world.run(forks('three'));
  for (const name of ['one', 'two', 'three']) {
    const started = Number(readFileSync(place(name), 'utf8'));
    expect(started).toBeGreaterThan(MOST - 10);
    expect(started).toBeLessThan(MOST);
  }
});
