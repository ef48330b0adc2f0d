import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, type TestContext } from 'vitest';
import { ownMark } from '@attractor/system';
import { makeFolder, until } from '@attractor/base/testing';
import {
  type ControlGroups,
  createControlGroups,
  JOIN,
  parentGroup,
  preparationText,
} from '@attractor/confine/testing';

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

test('a control group is made for whoever takes it, and removed once it is given back and its last process has ended', async (context) => {
  const groups = groupsOrSkip(context);
  const [one, other] = [groups.take(), groups.take()];
  expect(one.at).not.toBe(other.at);
  expect(readFileSync(path.join(one.at, 'pids.max'), 'utf8')).toBe(`${MOST}\n`);
  const left = leftover(one.at);
  for (const group of [one, other]) group.giveBack();
  const third = groups.take();
  expect([one, other].map(({ at }) => existsSync(at))).toEqual([true, false]);
  left.kill('SIGKILL');
  await once(left, 'exit');
  expect([one.at, other.at, third.at]).not.toContain(groups.take().at);
  expect(existsSync(one.at)).toBe(false);
  await groups.close();
  expect(existsSync(third.at)).toBe(false);
});

test('where the group that a process is told of can not be seen there are none, and nothing fails', () => {
  expect(createControlGroups(MOST, '/sys/fs/cgroup/pids/of-another-container')).toBeNull();
});

test('with version 2 of control groups, where this machine has it with a bound of processes, groups are at the top of the one tree', async (context) => {
  const handedDown = '/sys/fs/cgroup/cgroup.subtree_control';
  const isUnified = existsSync(handedDown) && readFileSync(handedDown, 'utf8').split(/\s+/).includes('pids');
  if (!isUnified) context.skip('this machine counts processes with version 1 of control groups, or not at all');
  const group = groupsOrSkip(context).take();
  expect(path.dirname(group.at)).toBe('/sys/fs/cgroup');
  const left = leftover(group.at);
  expect(membersOf(group.at)).toEqual([String(left.pid)]);
  expect(readFileSync(path.join(group.at, 'pids.current'), 'utf8').trim()).toBe('1');
  expect(readFileSync(path.join(group.at, 'pids.max'), 'utf8')).toBe(`${MOST}\n`);
});

test('which tree of groups counts is what the kernel says, of either version', () => {
  const placeOf = (own: string, handedDown: string | null): string | null => {
    const top = makeFolder({ own, ...(handedDown === null ? {} : { 'cgroup.subtree_control': handedDown }) });
    return parentGroup({ own: path.join(top, 'own'), top })?.replace(top, 'TOP') ?? null;
  };
  const hybrid = '5:cpu,cpuacct:/a\n4:pids:/user/me\n1:name=systemd:/x\n0::/init.scope\n';
  expect(placeOf(hybrid, null)).toBe('TOP/pids/user/me');
  expect(placeOf('7:cpuset,pids,memory:/\n', null)).toBe('TOP/pids/');
  expect(placeOf('0::/user.slice/session-1.scope\n', 'cpuset cpu io memory pids\n')).toBe('TOP');
  expect(placeOf('0::/user.slice\n', 'cpu memory\n')).toBeNull();
  expect(placeOf('0::/\n', null)).toBeNull();
});

test('in a real tree of version 2 a bash joins a group, and where no bound is handed down there are no groups', (context) => {
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  const [, top] = /^\S+ \S+ \S+ \S+ (\S+) .* - cgroup2 /m.exec(mounts) ?? [];
  if (top === undefined || process.getuid?.() !== 0) context.skip('no tree of version 2 here, or not root');
  const group = path.join(top ?? '', `attractor-test-${process.pid}`);
  mkdirSync(group);
  onTestFinished(() => rmdirSync(group));
  const { script } = preparationText({ filter: null, kilobytes: 64 }, group);
  const told = spawnSync('/bin/bash', ['-c', `${script}; cat /proc/self/cgroup`], { encoding: 'utf8' }).stdout;
  expect(told).toMatch(new RegExp(`^0::.*/${path.basename(group)}$`, 'm'));
  if (existsSync(path.join(group, 'pids.max'))) return;
  expect(createControlGroups(MOST, top)).toBeNull();
  expect(readdirSync(top ?? '').filter((name) => name.endsWith(`@${ownMark()}`))).toEqual([]);
});

test('control groups that a killed process left are removed, those of one that lives are not', (context) => {
  const parent = path.dirname(groupsOrSkip(context).take().at);
  const [namespace, pid] = ownMark().split('-');
  const [orphaned, living] = [`${namespace}-${pid}-1`, ownMark()].map((owner) =>
    path.join(parent, `attractor_left@${owner}`),
  ) as [string, string];
  for (const group of [orphaned, living]) mkdirSync(group);
  onTestFinished(() => rmdirSync(living));
  groupsOrSkip(context);
  expect([existsSync(orphaned), existsSync(living)]).toEqual([false, true]);
});

test('a bash that prepares for a command takes its limits and joins its group; one that can not says nothing and is not ready', (context) => {
  const groups = groupsOrSkip(context);
  const prepared = (group: string): string => {
    const { script } = preparationText({ filter: null, kilobytes: 64 }, group);
    const print = 'echo "ready $attractor_ready"; ulimit -f; cat /proc/self/cgroup';
    const { stdout, stderr } = spawnSync('/bin/bash', ['-c', `${script}; ${print}`], { encoding: 'utf8' });
    return stderr + stdout;
  };
  const group = groups.take().at;
  expect(prepared(group)).toMatch(new RegExp(`^ready 1\n64\n[^]*${path.basename(group)}`));
  expect(prepared(`${group}-not-there`)).toMatch(/^ready \n64\n/);
});

test('the shell that waits for the next command has joined a group for it already, a new one each time', async (context) => {
  const parent = path.dirname(groupsOrSkip(context).take().at);
  const world = await sandboxWorld(context);
  await world.run('true');
  const waiting = await waitingIn(parent);
  const running = world.run('sleep 0.2');
  await until(() => peopled(parent).some((group) => group === waiting && comm(group) !== 'bash'));
  await running;
  expect(await waitingIn(parent)).not.toBe(waiting);
});

/** The one group in which nobody is but a shell. */
async function waitingIn(parent: string): Promise<string> {
  const isOne = (): boolean => peopled(parent).length === 1 && comm(peopled(parent)[0] ?? '') === 'bash';
  await until(isOne);
  return peopled(parent)[0] ?? '';
}

/** Groups of this process in which somebody lives. */
function peopled(parent: string): ReadonlyArray<string> {
  return readdirSync(parent)
    .filter((name) => name.endsWith(`@${ownMark()}`))
    .map((name) => path.join(parent, name))
    .filter((group) => membersOf(group).length > 0);
}

/** What runs in the group, when it is one process. */
function comm(group: string): string | null {
  const [pid, ...more] = membersOf(group);
  try {
    return pid === undefined || more.length > 0 ? null : readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return null;
  }
}

function membersOf(group: string): ReadonlyArray<string> {
  try {
    return readFileSync(path.join(group, JOIN), 'utf8').split('\n').filter(Boolean);
  } catch {
    return [];
  }
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
