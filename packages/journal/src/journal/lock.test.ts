import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bundledProgram, makeFolder, runs } from '@attractor/base/testing';

import { openJournal } from './file-journal.ts';
import { acquireLock, holderOf, ownIdentity } from '@attractor/system';

const PROGRAM = new URL('../test-support/double-start-child.ts', import.meta.url).pathname;

const start = async (): Promise<ChildProcess> => {
  const child = fork(bundledProgram(PROGRAM), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
};

const ask = async (child: ChildProcess, order: { readonly open?: string }): Promise<unknown> => {
  const answer = once(child, 'message');
  child.send(order);
  return (await answer)[0];
};

/** Locks that somebody left who is no more: dead, an id that was given to another process, from before a restart, damaged. */
const LEFT = [
  { ...ownIdentity(), pid: 999_999_999, token: 'dead' },
  { ...ownIdentity(), pid: 1, started: '7', token: 'reused' },
  { ...ownIdentity(), boot: 'an earlier one', token: 'before-restart' },
  {},
];

describe('double starts', () => {
  it('of one session have exactly one writer each time, whoever left it before', async () => {
    const root = makeFolder();
    const starters = await Promise.all([start(), start(), start()]);
    const rounds = runs(15, 1_000);
    for (let round = 0; round < rounds; round++) {
      const file = path.join(root, `${round}`, 'journal.jsonl');
      mkdirSync(path.dirname(file));
      const left = LEFT[round % (LEFT.length + 1)];
      if (left !== undefined) writeFileSync(`${file}.lock`, JSON.stringify(left));
      const answers = await Promise.all(starters.map((starter) => ask(starter, { open: file })));
      expect({ round, answers: answers.toSorted() }).toEqual({ round, answers: ['locked', 'locked', 'won'] });
      await Promise.all(starters.map((starter) => ask(starter, {})));
      expect(readdirSync(path.dirname(file))).toEqual(['journal.jsonl']);
    }
  });

  it('are taken over as soon as the owner is dead', async () => {
    const file = path.join(makeFolder(), 'journal.jsonl');
    const [owner, heir] = [await start(), await start()];
    expect(await ask(owner, { open: file })).toBe('won');
    expect(holderOf(`${file}.lock`)).toEqual({ pid: owner.pid });
    expect(await ask(heir, { open: file })).toBe('locked');
    const ended = once(owner, 'exit');
    owner.kill('SIGKILL');
    await ended;
    expect(holderOf(`${file}.lock`)).toBeNull();
    expect(await ask(heir, { open: file })).toBe('won');
  });
});

describe('a lock', () => {
  it('clears away what claimants that died in the middle left behind', () => {
    const root = makeFolder();
    const file = path.join(root, 'lock');
    const dead = JSON.stringify({ ...ownIdentity(), pid: 999_999_999, token: 'dead' });
    for (const name of ['lock', 'lock.dead', 'lock.dead.copy', 'lock.heir.older'])
      writeFileSync(path.join(root, name), dead);
    const lock = acquireLock(file);
    expect(readdirSync(root)).toEqual(['lock']);
    lock.release();
    expect(readdirSync(root)).toEqual([]);
  });

  it('of a place where we can not look is respected while it shows life, and taken over after long silence', () => {
    const file = path.join(makeFolder(), 'lock');
    for (const elsewhere of [{ boot: 'other', machine: 'other' }, { space: 'pid:[1]' }]) {
      writeFileSync(file, JSON.stringify({ ...ownIdentity(), ...elsewhere, token: 'far' }));
      expect(() => acquireLock(file)).toThrow(expect.objectContaining({ code: 'locked' }));
      const longAgo = new Date(Date.now() - 3_600_000);
      utimesSync(file, longAgo, longAgo);
      acquireLock(file).release();
    }
  });

  it('that was taken over while its owner stood still ends the owner’s writing', () => {
    const file = path.join(makeFolder(), 'journal.jsonl');
    const event = { kind: 'USER_INPUT' as const, content: 'x', at: '', sessionId: 's' };
    vi.useFakeTimers({ toFake: ['performance', 'Date', 'setInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const journal = openJournal(file);
    journal.append({ ...event, seq: 1 });
    const thief = JSON.stringify({ ...ownIdentity(), token: 'thief' });
    writeFileSync(`${file}.lock`, thief);
    vi.setSystemTime(Date.now() + 3_600_000);
    expect(() => journal.append({ ...event, seq: 2 })).toThrow(expect.objectContaining({ code: 'locked' }));
    expect(() => journal.append({ ...event, seq: 2 })).toThrow('taken over');
    journal.close();
    expect(readFileSync(`${file}.lock`, 'utf8')).toBe(thief);
  });
});
