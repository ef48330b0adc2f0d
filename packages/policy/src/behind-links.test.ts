import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder, runs, soakProgress, soakSeed } from '@attractor/base/testing';
import { plantProgram } from '@attractor/shell/testing';
import { diceOf, pick } from './test-support/dice.ts';
import { entriesBelow } from './test-support/entries-below.ts';
import { policyOf, type Lists } from './test-support/rules.ts';
import type { Decision, PermissionMode } from './types.ts';

type Judging = { readonly lists?: Lists; readonly mode?: PermissionMode; readonly searchPath?: string };

/** `docs/link` leads to `other/deep`, `docs/up` to the workspace itself, `docs/l` into `.git`. */
const world = () => {
  const around = makeFolder({
    'letters.txt': 'mine',
    'ws/a.txt': 'x',
    'ws/docs/c.md': 'x',
    'ws/other/deep/d.md': 'x',
    'ws/other/shut.cfg': 'x',
    'ws/src/y': 'x',
  });
  const root = path.join(around, 'ws');
  execFileSync('git', ['init', '-q'], { cwd: root });
  const link = (to: string, at: string): void => symlinkSync(to, path.join(root, at));
  link('../other/deep', 'docs/link');
  link('..', 'docs/up');
  link('../.git/objects', 'docs/l');
  link('../../letters.txt', 'other/q.md');
  link('../../letters.txt', 'docs/arch.gz');
  link('../../letters.txt', 'docs/arch.zip');
  mkdirSync(path.join(root, 'far/src'), { recursive: true });
  link('../../../letters.txt', 'far/src/y');
  const decide = async (command: string, { lists = {}, searchPath = '/usr/bin:/bin', ...rest }: Judging = {}) =>
    (
      await policyOf(lists, { root, variables: { PATH: searchPath }, ...rest }).judge({
        toolName: 'shell',
        args: { command },
      })
    ).decision;
  return { around, root, decide };
};

describe('the folder above a link', () => {
  it('is the one above what the link leads to, for globs, searches, git and rules', async () => {
    const { root, decide } = world();
    execFileSync('git', ['init', '-q', 'other'], { cwd: root });
    execFileSync('git', ['-C', 'other', 'config', 'core.fsmonitor', 'touch ran'], { cwd: root });
    for (const command of [
      'cat docs/link/../q*',
      'cd docs/link && cat ../q*',
      'cd docs/link && find .. -name "q*" -exec cat {} +',
      'cd docs/link && find .. | xargs cat',
      'cd docs/link && git -C .. status',
    ])
      expect([command, await decide(command)]).toEqual([command, 'ask']);
    expect(await decide('cd docs/link && cat ../deep/*')).toBe('allow');
    expect(await decide('git -C docs/.. status')).not.toBe('deny');
    const lists = { deny: ['Read(/other/shut.cfg)'] };
    for (const command of ['cat docs/link/../shut.cfg', 'cat docs/link/../*.cfg', 'cd docs/link && head -1 ../s*'])
      expect([command, await decide(command, { lists })]).toEqual([command, 'deny']);
    for (const command of ['cd docs/link && grep -r x ..', 'rg x docs/link/..'])
      expect([command, await decide(command, { lists })]).toEqual([command, 'ask']);
  });

  it('is no way to write what programs obey, or what lies outside', async () => {
    const { decide } = world();
    for (const form of ['echo x > %', 'tee % < a.txt', 'cp a.txt %', 'mv a.txt %', 'touch %', 'sed -i s/a/b/ %'])
      for (const place of ['docs/l/../config', 'docs/l/../hooks/pre-commit', 'docs/up/../x', 'docs/up/../../x']) {
        const command = form.replace('%', place);
        const decision = await decide(command, { mode: 'acceptEdits', lists: { allow: ['Edit(/docs/**)'] } });
        expect([command, decision]).not.toEqual([command, 'allow']);
      }
    for (const command of ['mkdir -p ../new/../ws/src/n', 'mkdir -p docs/l/new/../../../src/n', 'mkdir -p new/./../n'])
      expect([command, await decide(command, { mode: 'acceptEdits' })]).not.toEqual([command, 'allow']);
    for (const command of ['mkdir -p new/deep', 'cd src && mkdir -p ../new/deep', 'mkdir -p ./new'])
      expect([command, await decide(command, { mode: 'acceptEdits' })]).toEqual([command, 'allow']);
    expect(await decide('cd docs/l && echo x > ../config', { mode: 'acceptEdits' })).toBe('deny');
    expect(await decide('echo x > docs/link/../n.txt', { mode: 'acceptEdits' })).toBe('allow');
  });

  it('is where a generated edit goes that runs unasked: inside, and past no protected name', async () => {
    const [seed, count] = [soakSeed(11), runs(40, 100_000)];
    const tell = soakProgress({ what: 'edits behind links', seed, count });
    const dice = diceOf(seed);
    let allowed = 0;
    for (let done = 0; done < count;) {
      const { around, root } = world();
      const policy = policyOf({}, { root, mode: 'acceptEdits', variables: { PATH: '/usr/bin:/bin' } });
      const commands = new Set<string>();
      const end = Math.min(count, done + JUDGED);
      for (; done < end; done += 1) {
        const command = editOf(() => pick(PIECES, dice), pick(EDITS, dice), pick(MOVES, dice));
        if (commands.has(command)) continue;
        if ((await policy.judge({ toolName: 'shell', args: { command } })).decision === 'allow') commands.add(command);
        tell(done);
      }
      allowed += commands.size;
      const before = keptFiles(around);
      for (const part of chunksOf([...commands], RUN))
        expect({ seed, part, kept: keptAfter(part, around) }).toEqual({ seed, part, kept: before });
      rmSync(around, { recursive: true });
    }
    tell(count);
    expect(allowed).toBeGreaterThan(3);
  });
});

/** Git's answers are remembered once its files are two seconds old, so that many commands are judged in one world. */
const JUDGED = 5_000;
const RUN = 200;

function chunksOf<T>(list: ReadonlyArray<T>, size: number): ReadonlyArray<ReadonlyArray<T>> {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));
}

/** All of them were judged before the first runs, as the calls of one answer are; they run in a copy, which has the same links. */
function keptAfter(commands: ReadonlyArray<string>, around: string): ReadonlyArray<string> {
  const copy = `${around}-copy`;
  cpSync(around, copy, { recursive: true, verbatimSymlinks: true });
  const each = 'for one; do (eval "$one"); done';
  const env = { PATH: '/usr/bin:/bin' };
  spawnSync('/bin/bash', ['-c', each, 'bash', ...commands], { cwd: path.join(copy, 'ws'), env, stdio: 'ignore' });
  const kept = keptFiles(copy);
  rmSync(copy, { recursive: true });
  return kept;
}

const PIECES = ['docs', 'link', 'up', 'l', '..', '..', 'other', 'config', 'hooks', 'n.txt', '.', 'src', 'ws'];
const EDITS = ['echo x > %', 'tee % < a.txt', 'cp a.txt %', 'touch %', 'mkdir -p %', 'sed -i s/x/y/ %', '> %'];
const MOVES = ['', '', 'cd docs/link && ', 'cd docs/up && ', 'cd docs/l && ', 'cd docs && '];

function editOf(piece: () => string, form: string, move: string): string {
  const place = Array.from({ length: 5 }, piece).join('/');
  return move + form.replace('%', place).replace('a.txt', move === '' ? 'a.txt' : '/dev/null');
}

/** What lies outside the workspace and in `.git`, with its contents; and the links, which none of these edits removes. */
function keptFiles(around: string): ReadonlyArray<string> {
  return entriesBelow(around)
    .map((entry) => ({ entry, at: path.join(path.relative(around, entry.parentPath), entry.name) }))
    .filter(({ entry, at }) => !at.startsWith('ws/') || at.startsWith('ws/.git') || entry.isSymbolicLink())
    .map(({ entry, at }) => (entry.isFile() ? `${at} ${readFileSync(path.join(around, at), 'latin1')}` : at))
    .toSorted();
}

describe('a name that a program makes of its words', () => {
  it('is not known where find puts a path into the middle of one, and its patterns fit what find makes of them', async () => {
    const { decide } = world();
    for (const command of [
      String.raw`find src -name y -exec cat {} far/{} \;`,
      String.raw`find src -exec sed 's,a,{},' {} \;`,
      String.raw`find src -exec grep -f{} x {} \;`,
      String.raw`find other -name 'q\.md' -exec cat {} +`,
      `find other -name '[]q].md' -exec cat {} +`,
      `find other -name '[[:alpha:]].md' | xargs cat`,
    ])
      expect([command, await decide(command)]).toEqual([command, 'ask']);
    expect(await decide('find src -name "[xy]" -exec cat {} +')).toBe('allow');
  });

  it('counts with the endings that a program tries, and as the pattern that it takes it for', async () => {
    const { decide } = world();
    for (const command of [
      'zcat docs/arch',
      'gunzip -c docs/arch | head',
      'gzip -l docs/arch',
      'unzip -l docs/arch',
      'zipinfo docs/arch',
      `unzip -l 'docs/*'`,
    ])
      expect([command, await decide(command)]).toEqual([command, 'ask']);
    expect(await decide('gunzip -c x | head')).toBe('allow');
    expect(await decide('zcat x', { lists: { deny: ['Read(x.gz)'] } })).toBe('deny');
  });

  it('is that of a program in the workspace where another program starts it by name', async () => {
    const { root, decide } = world();
    const bin = path.join(root, 'bin');
    const tools = makeFolder({ npm: '#!/usr/bin/env node\n' });
    chmodSync(path.join(tools, 'npm'), 0o755);
    const searchPath = `${bin}:${tools}:/usr/bin:/bin`;
    const decisions = async (): Promise<ReadonlyArray<Decision>> =>
      Promise.all(
        ['tar tf a.tgz', 'npm --version', 'git help log', 'cat a.txt'].map((one) => decide(one, { searchPath })),
      );
    expect(await decisions()).toEqual(['allow', 'allow', 'allow', 'allow']);
    for (const name of ['gzip', 'node', 'man']) plantProgram(bin, name);
    expect(await decisions()).toEqual(['ask', 'ask', 'ask', 'allow']);
  });
});
