import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, runs, soakProgress, soakSeed } from '@attractor/base/testing';
import { type Dice, diceOf } from './test-support/dice.ts';
import { gitCommand } from './test-support/git-reads.ts';
import { type HostileWorld, makeTemplate, makeWorld } from './test-support/hostile-git.ts';
import { policyOf } from './test-support/rules.ts';
import { canTrace } from '@attractor/confine/testing';
import { traceGit } from './test-support/traced-git.ts';

/** Git's answers are only remembered for files that have not changed for two seconds, so worlds are made before the first is judged. */
const AT_ONCE = 16;
const [WORLDS, COMMANDS] = [runs(14, 2_000), runs(8, 50)];

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

/** Worlds of a seed each: how many commands were allowed. What is found ends it at once and names the seed, so that it can be made again. */
async function search(first: number, count: number): Promise<number> {
  const template = templateFolder();
  const tell = soakProgress({ what: 'git in hostile repositories', seed: first, count: count * COMMANDS });
  let allowed = 0;
  for (let seed = first; seed < first + count; seed += AT_ONCE) {
    const seeds = Array.from({ length: Math.min(AT_ONCE, first + count - seed) }, (_, at) => seed + at);
    const worlds = seeds.map((own) => {
      const dice = diceOf(own);
      return { own, dice, world: makeWorld(template, join(template, '..', `w${String(own)}`), dice) };
    });
    for (const { own, dice, world } of worlds) {
      const commands = await allowedIn(world, dice);
      allowed += commands.length;
      const found = commands.length === 0 ? [] : traceGit(commands, world, variablesOf(world));
      expect(found, `SOAK_SEED=${String(own)} ${JSON.stringify({ kinds: world.kinds, commands })}`).toEqual([]);
      rmSync(world.top, { recursive: true, force: true });
      tell((own + 1 - first) * COMMANDS);
    }
  }
  return allowed;
}

function templateFolder(): string {
  const template = join(makeFolder(), 'template');
  mkdirSync(template);
  makeTemplate(template);
  return template;
}

async function allowedIn(world: HostileWorld, dice: Dice): Promise<ReadonlyArray<string>> {
  const policy = policyOf({}, { root: world.ws, home: world.home, variables: variablesOf(world) });
  const allowed = new Set<string>();
  const generated = new Set(Array.from({ length: COMMANDS }, () => gitCommand(world.place, dice)));
  for (const command of generated)
    if ((await policy.judge({ toolName: 'shell', args: { command } })).decision === 'allow') allowed.add(command);
  return [...allowed];
}

describe('git in a hostile repository', () => {
  const start = soakSeed(1);

  it('does nothing unasked that was not judged, whatever git is led to', async () => {
    if (!canTrace()) return;
    expect(await search(start, WORLDS)).toBeGreaterThan(WORLDS);
  });

  it('would do such things if it were not asked about: the traps are live, and seen', () => {
    if (!canTrace()) return;
    const template = templateFolder();
    const sprung = new Set<string>();
    for (let seed = start; seed < start + 40 && !(sprung.has('reads') && sprung.has('starts')); seed += 1) {
      const world = makeWorld(template, join(template, '..', `w${String(seed)}`), diceOf(seed));
      const commands = ['git status; git log -p', `cd '${world.place}' && git status; git log -p`];
      for (const finding of traceGit(commands, world, variablesOf(world))) sprung.add(finding.split(' ')[0] ?? '');
    }
    expect([...sprung].toSorted()).toEqual(expect.arrayContaining(['reads', 'starts']));
  });
});
