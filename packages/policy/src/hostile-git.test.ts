import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, runs } from '@attractor/base/testing';
import { diceOf } from './test-support/dice.ts';
import { gitCommand } from './test-support/git-reads.ts';
import { type HostileWorld, makeTemplate, makeWorld } from './test-support/hostile-git.ts';
import { policyOf } from './test-support/rules.ts';
import { canTrace, traceGit } from './test-support/traced-git.ts';

const COMMANDS = 8;

const variablesOf = (world: HostileWorld): Readonly<Record<string, string>> => ({
  PATH: '/usr/bin:/bin',
  HOME: world.home,
  LANG: 'C.UTF-8',
  SHELL: '/bin/bash',
  GIT_PAGER: 'cat',
  PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
});

const judge = async (command: string, world: HostileWorld): Promise<string> => {
  const variables = variablesOf(world);
  const policy = policyOf({}, { root: world.ws, home: world.home, variables });
  return (await policy.judge({ toolName: 'shell', args: { command } })).decision;
};

/** Worlds of a seed each; what is found names the seed, so that it can be made again. */
async function search(first: number, count: number): Promise<{ readonly allowed: number; readonly found: unknown[] }> {
  const top = makeFolder();
  const template = join(top, 'template');
  mkdirSync(template);
  makeTemplate(template);
  const found: unknown[] = [];
  let allowed = 0;
  for (let seed = first; seed < first + count; seed += 1) {
    const dice = diceOf(seed);
    const world = makeWorld(template, join(top, `w${String(seed)}`), dice);
    const commands: string[] = [];
    for (let at = 0; at < COMMANDS; at += 1) {
      const command = gitCommand(world.place, dice);
      if ((await judge(command, world)) === 'allow') commands.push(command);
    }
    allowed += commands.length;
    const variables = variablesOf(world);
    const together = commands.length === 0 ? [] : traceGit(commands, world, variables);
    if (together.length > 0) found.push({ seed, kinds: world.kinds, commands, together });
    rmSync(world.top, { recursive: true, force: true });
  }
  return { allowed, found };
}

describe('git in a hostile repository', () => {
  const start = runs(1, Math.floor(Math.random() * 2 ** 30));
  const share = runs(14, 1_600);

  it.each([0, 1, 2, 3, 4, 5, 6, 7].slice(0, runs(1, 8)))(
    'does nothing unasked that was not judged, whatever git is led to (part %i)',
    async (part) => {
      if (!canTrace()) return;
      const { allowed, found } = await search(start + part * share, share);
      expect(found).toEqual([]);
      expect(allowed).toBeGreaterThan(share);
    },
  );

  it('would do such things if it were not asked about: the traps are live, and seen', () => {
    if (!canTrace()) return;
    const top = makeFolder();
    const template = join(top, 'template');
    mkdirSync(template);
    makeTemplate(template);
    const sprung = new Set<string>();
    for (let seed = start; seed < start + 40 && !(sprung.has('reads') && sprung.has('starts')); seed += 1) {
      const world = makeWorld(template, join(top, `w${String(seed)}`), diceOf(seed));
      const commands = ['git status; git log -p', `cd '${world.place}' && git status; git log -p`];
      for (const finding of traceGit(commands, world, variablesOf(world))) sprung.add(finding.split(' ')[0] ?? '');
    }
    expect([...sprung].toSorted()).toEqual(expect.arrayContaining(['reads', 'starts']));
  });
});
