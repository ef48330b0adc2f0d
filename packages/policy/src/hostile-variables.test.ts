import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, runs, soakProgress, soakSeed } from '@attractor/base/testing';
import { canTrace } from '@attractor/confine/testing';
import { childVariables, chosenVariables } from '@attractor/system';
import { diceOf, type Dice } from './test-support/dice.ts';
import { hostileVariables, namesInPrograms } from './test-support/hostile-variables.ts';
import { policyOf } from './test-support/rules.ts';
import { traceReads } from './test-support/traced-reads.ts';

const READS = [
  'ls -la',
  'cat a.txt | sort | uniq -c',
  'grep -n x a.txt',
  'sed -n 1p a.txt',
  "awk '{ print $1 }' a.txt",
  'find . -maxdepth 1 -name "*.txt"',
  'diff a.txt b.txt',
  'git status; git log -1; git diff',
  'tar -tf x.tar',
  'zcat x.gz',
  'jq . a.json',
  'file a.txt',
  'bc <<< 1+2',
  'date',
  'ps aux',
  'xxd a.txt',
  'git help log',
  'node --version',
  'npm --version',
  'python3 --version',
  'perl -v',
  'shasum a.txt',
  'java -version',
  'openssl version',
  'curl --version',
  'make --version',
  'gcc --version',
];
const EDITS = ['sed -i s/x/y/ a.txt', 'cp a.txt c.txt', 'mkdir -p made', 'touch t', 'echo z > b.txt', 'mv t u'];

/** Every program of the trap tells that it was run. */
const TRAP = '#!/bin/sh\n: > "$(dirname "$0")/sprung"\n';

function makeWorld() {
  const top = makeFolder({
    'ws/a.txt': 'x\n',
    'ws/b.txt': 'y\n',
    'ws/a.json': '{}',
    'ws/trap/run': TRAP,
    'ws/trap/lib.so': TRAP,
    'ws/trap/sitecustomize.py': 'open("/dev/null")',
    'ws/trap/git/config': '[diff]\n\texternal = ./trap/run\n',
  });
  const [ws, home] = [join(top, 'ws'), join(top, 'home')];
  mkdirSync(home);
  for (const name of ['run', 'lib.so']) chmodSync(join(ws, 'trap', name), 0o755);
  return { top, ws, home };
}

type Commands = { readonly commands: ReadonlyArray<string>; readonly variables: Readonly<Record<string, string>> };

async function allowed(world: ReturnType<typeof makeWorld>, { commands, variables }: Commands): Promise<string[]> {
  const policy = policyOf({}, { root: world.ws, home: world.home, variables, mode: 'acceptEdits' });
  const judged = await Promise.all(
    commands.map(async (command) => ({
      command,
      decision: (await policy.judge({ toolName: 'shell', args: { command } })).decision,
    })),
  );
  return judged.flatMap(({ command, decision }) => (decision === 'allow' ? [command] : []));
}

const NAMES = namesInPrograms();
const OWN = { PATH: '/usr/bin:/bin', SHELL: '/bin/bash' };

const hostOf = (world: ReturnType<typeof makeWorld>, share: number, dice: Dice) => ({
  ...hostileVariables(NAMES, { ws: world.ws, share, dice }),
  ...OWN,
  HOME: world.home,
});

describe('variables that lead programs into the workspace', () => {
  const start = soakSeed(1);

  it('reach no command that runs unasked, and the commands that only read still do', async ({ skip }) => {
    if (!canTrace()) skip('strace or bubblewrap is missing here');
    const world = makeWorld();
    const count = runs(1, 400);
    const tell = soakProgress({ what: 'variables of the host', seed: start, count });
    for (let seed = start; seed < start + count; seed += 1) {
      const host = hostOf(world, 0.9, diceOf(seed));
      const variables = chosenVariables({}, { host, folders: [world.ws] });
      const commands = await allowed(world, { commands: [...READS, ...EDITS], variables });
      expect({ seed, found: traceReads(commands, world, variables) }).toEqual({ seed, found: [] });
      expect(existsSync(join(world.ws, 'trap/sprung'))).toBe(false);
      expect(commands.length).toBeGreaterThan(20);
      tell(seed + 1 - start);
    }
  });

  it('make a command ask where a person set them, or whoever embeds us gave them', async ({ skip }) => {
    if (!canTrace()) skip('strace or bubblewrap is missing here');
    const world = makeWorld();
    const count = runs(2, 400);
    const tell = soakProgress({ what: 'variables that were set', seed: start, count });
    for (let seed = start; seed < start + count; seed += 1) {
      const dice = diceOf(seed);
      const set = hostileVariables(NAMES, { ws: world.ws, share: dice.roll(2) === 0 ? 0.002 : 0.05, dice });
      const host = { ...OWN, HOME: world.home };
      const given = { ...childVariables('inherit_all', { ...host, ...set }), ...set };
      for (const variables of [chosenVariables({ set }, { host, folders: [world.ws] }), given]) {
        const commands = await allowed(world, { commands: READS, variables });
        const found = commands.length === 0 ? [] : traceReads(commands, world, variables);
        expect({ seed, set, found }).toEqual({ seed, set, found: [] });
      }
      tell(seed + 1 - start);
    }
  });

  it('would be obeyed if they were not asked about: the traps are live, and seen', ({ skip }) => {
    if (!canTrace()) skip('strace or bubblewrap is missing here');
    const world = makeWorld();
    const trap = join(world.ws, 'trap/run');
    const lines = Object.entries({
      LD_PRELOAD: [join(world.ws, 'trap/lib.so'), 'ls'],
      BASH_ENV: [trap, 'ls'],
      PYTHONPATH: [join(world.ws, 'trap'), 'python3 -c 1'],
      BC_ENV_ARGS: [trap, 'bc <<< 1+2'],
    }).map(([name, [value = '', command = '']]) => ({ name, value, command }));
    for (const { name, value, command } of lines)
      expect([name, traceReads([command], world, { ...OWN, HOME: world.home, [name]: value })]).not.toEqual([name, []]);
  });
});
