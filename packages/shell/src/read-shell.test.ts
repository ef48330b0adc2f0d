import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diskOf } from './disk.ts';
import { readShell } from './read-shell.ts';
import { PLACES } from './test-support/decide.ts';

const parts = (command: string) => readShell(command, PLACES).parts;
const { root } = PLACES;

describe('parts', () => {
  it('are the simple commands of everything that a text holds, at any depth', () => {
    const command =
      'a | b && (c; { d; }) & if e; then f; fi; for x in 1; do g; done; case $(h) in `i`) j;; esac; k=$(l) m < <(n) "${o:-$(p)}" <<E\n$(q)\nE';
    const names = parts(command).flatMap(({ words }) => words?.[0] ?? []);
    expect(new Set(names)).toEqual(new Set('abcdefghijlmnpq'.split('')));
  });

  it('hold the words without quotes, wrappers and assignments', () => {
    expect(parts('LC_ALL=C timeout -k 5 10 git log "--oneline"')[0]).toMatchObject({
      argv: ['git', 'log', '--oneline'],
      assigns: ['LC_ALL'],
      effect: 'read',
    });
    expect(parts('git log $X')[0]?.argv).toBeNull();
  });

  it('name what runs them, when another part does', () => {
    expect(parts("sudo bash -c 'xargs rm'").map(({ argv, via }) => [argv?.[0], via])).toEqual([
      ['sudo', undefined],
      ['bash', 'sudo'],
      ['xargs', 'sudo bash'],
      ['rm', 'xargs'],
    ]);
  });

  it('run where each cd before them leads', () => {
    expect(parts('cd src && ls; ls').map(({ cwd }) => cwd)).toEqual([root, `${root}/src`, null]);
    expect(parts('(cd src); ls').map(({ cwd }) => cwd)).toEqual([root, root]);
    expect(parts('cd src || ls').map(({ cwd }) => cwd)).toEqual([root, root]);
    expect(parts('cd $X && ls').map(({ cwd }) => cwd)).toEqual([root, null]);
    expect(parts('cd src | ls').map(({ cwd }) => cwd)).toEqual([root, root]);
  });

  it('write to files by their whole path, after each cd', () => {
    expect(parts('cd .claude && echo x > settings.json')[1]).toMatchObject({
      effect: 'destructive',
      targets: [{ path: `${root}/.claude/settings.json`, access: 'write', via: 'redirection' }],
    });
    expect(parts('pwd > "$X"')[0]?.targets).toEqual([{ path: null, access: 'write', via: 'redirection' }]);
    expect(parts('pwd 2>/dev/null 2>&1')[0]).toMatchObject({ effect: 'read', targets: [] });
  });
});

describe('a problem', () => {
  it.each([
    'ls $(',
    "bash -c 'ls $('",
    'echo "`x"',
    'ls\u00a0-l',
    'ls\0',
    'ls(rm x',
    'x'.repeat(10_001),
    'ls;'.repeat(60),
  ])('is found in %j', (command) => {
    expect(readShell(command, PLACES).problem).not.toBeNull();
  });

  it('leaves what must be denied to be denied', () => {
    expect(parts('rm -rf / $(').some(({ effect }) => effect === 'destructive')).toBe(true);
  });
});

describe('links, where there is a disk to ask', () => {
  let world: string;
  beforeAll(() => {
    world = realpathSync(mkdtempSync(join(tmpdir(), 'shell-links-')));
    mkdirSync(join(world, 'outside/deep'), { recursive: true });
    mkdirSync(join(world, 'root/src'), { recursive: true });
    writeFileSync(join(world, 'root/a.txt'), 'a');
    symlinkSync(join(world, 'outside/deep'), join(world, 'root/link'));
    symlinkSync(join(world, 'root/src'), join(world, 'root/inner'));
  });
  afterAll(() => rmSync(world, { recursive: true }));

  it.each([
    ['cat a.txt', 'read'],
    ['ls inner', 'read'],
    ['cat link/x', 'guarded'],
    ['cat link/../a.txt', 'guarded'],
    ['cd link && cat ../a.txt', 'guarded'],
    ['cat missing.txt', 'read'],
  ])('%s is %s', (command, effect) => {
    const folder = join(world, 'root');
    const disk = diskOf('/usr/bin:/bin', [folder]);
    expect(readShell(command, { cwd: folder, root: folder, disk }).parts.at(-1)?.effect).toBe(effect);
  });
});
