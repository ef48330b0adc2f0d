import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { lockFiles } from '@attractor/system';
import { makeFolder } from '@attractor/base/testing';
import { EXECUTABLE_PLACES } from './executable-files.ts';
import { examineTrust, revokeTrust, trustRepository, untrustedNotice } from './trust.ts';

const FILES = {
  '.attractor/config.json': '{\n  "checks": { "test": "npm test" }\n}\n',
  '.mcp.json': '{ "mcpServers": { "a": { "command": "a" } } }\n',
  'src/a.ts': 'a\n',
};

function git(cwd: string, ...args: ReadonlyArray<string>): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.test', ...args], { cwd, stdio: 'ignore' });
}

function makeRepository(files: Readonly<Record<string, string>> = FILES): string {
  const root = makeFolder(files);
  git(root, 'init', '-q', '-b', 'main');
  git(root, 'add', '--all');
  git(root, 'commit', '-q', '--allow-empty', '-m', 'first');
  return root;
}

async function grant(root: string, home: string): Promise<void> {
  expect(await trustRepository(examineTrust(root, { home }), { home })).toMatchObject({ ok: true });
}

describe('trust in a repository', () => {
  it('of a folder without any configuration has a hash as well', () => {
    expect(examineTrust(makeFolder(), { home: makeFolder() })).toMatchObject({ files: [], hash: hash('sha256', '[]') });
  });

  it('is unknown until a person gives it, holds in every folder of it, and ends when it is revoked', async () => {
    const [root, home] = [makeRepository(), makeFolder()];
    const before = examineTrust(root, { home });
    expect(before).toMatchObject({ root, state: 'unknown', difference: [], problems: [] });
    expect(before.files.map((file) => file.path)).toEqual(['.attractor/config.json', '.mcp.json']);
    expect(untrustedNotice(before)).toContain('2 files');
    await grant(root, home);
    expect(examineTrust(path.join(root, 'src'), { home }).state).toBe('trusted');
    expect(untrustedNotice(examineTrust(root, { home }))).toBeNull();
    expect(await revokeTrust(root, { home })).toEqual({ ok: true, value: true });
    expect(examineTrust(root, { home }).state).toBe('unknown');
    expect(await revokeTrust(root, { home })).toEqual({ ok: true, value: false });
  });

  it('T7: ends with any change of a definition, shows the difference, and comes back with the old bytes', async () => {
    const [root, home] = [makeRepository(), makeFolder()];
    await grant(root, home);
    const file = path.join(root, '.mcp.json');
    const before = readFileSync(file);
    for (let at = 0; at < before.length; at += 7) {
      const changed = Buffer.from(before);
      changed[at] = (changed[at] ?? 0) ^ 1;
      writeFileSync(file, changed);
      expect([at, examineTrust(root, { home }).state]).toEqual([at, 'changed']);
    }
    writeFileSync(file, before);
    expect(examineTrust(root, { home }).state).toBe('trusted');
    writeFileSync(path.join(root, '.attractor/config.json'), '{\n  "checks": { "test": "curl evil.test" }\n}\n');
    expect(examineTrust(root, { home }).difference).toEqual([
      {
        path: '.attractor/config.json',
        change: 'changed',
        lines: [' {', '-  "checks": { "test": "npm test" }', '+  "checks": { "test": "curl evil.test" }', ' }'],
      },
    ]);
  });

  it('T7: ends when any file of the table appears or goes', async () => {
    const [root, home] = [makeRepository(), makeFolder()];
    await grant(root, home);
    for (const { place, below } of EXECUTABLE_PLACES) {
      const file = path.join(root, below === undefined ? place : `${place}/deep/in${below[0] ?? ''}`);
      if (readdirOr(path.dirname(file)).includes(path.basename(file))) continue;
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, 'x');
      expect([place, examineTrust(root, { home }).state]).toEqual([place, 'changed']);
      rmSync(file);
      expect([place, examineTrust(root, { home }).state]).toEqual([place, 'trusted']);
    }
    rmSync(path.join(root, '.mcp.json'));
    expect(examineTrust(root, { home }).difference).toMatchObject([{ path: '.mcp.json', change: 'removed' }]);
  });

  it('T7: ends when the same bytes stand under another name', async () => {
    const [root, home] = [makeFolder({ '.claude/hooks/a.sh': 'x' }), makeFolder()];
    await grant(root, home);
    renameSync(path.join(root, '.claude/hooks/a.sh'), path.join(root, '.claude/hooks/b.sh'));
    expect(examineTrust(root, { home }).state).toBe('changed');
  });

  it('is not given to what changed after it was shown', async () => {
    const [root, home] = [makeRepository(), makeFolder()];
    const shown = examineTrust(root, { home });
    appendFileSync(path.join(root, '.mcp.json'), ' ');
    expect(await trustRepository(shown, { home })).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(examineTrust(root, { home }).state).toBe('unknown');
  });

  it('is not given to what became another repository after it was shown', async () => {
    const [root, home] = [makeFolder(FILES), path.join(makeFolder(), 'home')];
    const shown = examineTrust(root, { home });
    git(root, 'init', '-q');
    expect(await trustRepository(shown, { home })).toMatchObject({ ok: false, error: { code: 'conflict' } });
    expect(await revokeTrust(root, { home })).toMatchObject({ ok: true, value: false });
    expect(statSync(home).mode & 0o777).toBe(0o700);
  });

  it('sees through links to the bytes that would be used', async () => {
    const [root, home, elsewhere] = [makeRepository(), makeFolder(), makeFolder({ 'a.md': 'one', 'hook.sh': 'one' })];
    mkdirSync(path.join(root, '.claude'));
    symlinkSync(elsewhere, path.join(root, '.claude/agents'));
    symlinkSync(path.join(elsewhere, 'hook.sh'), path.join(root, '.claude/settings.json'));
    await grant(root, home);
    for (const name of ['a.md', 'hook.sh']) {
      writeFileSync(path.join(elsewhere, name), 'two');
      expect([name, examineTrust(root, { home }).state]).toEqual([name, 'changed']);
      writeFileSync(path.join(elsewhere, name), 'one');
    }
    expect(examineTrust(root, { home }).state).toBe('trusted');
  });

  it('is refused to what nobody could read whole: pipes, huge files, files that hold more than they say, circles of links', async () => {
    const [root, home] = [makeRepository(), makeFolder()];
    const cases: ReadonlyArray<readonly [string, (file: string) => unknown]> = [
      ['.claude/settings.json', (file) => execFileSync('mkfifo', [file])],
      ['.claude/agents/a.md', (file) => writeFileSync(file, 'x'.repeat((1 << 20) + 1))],
      ['.mcp.json', (file) => [rmSync(file), symlinkSync('/proc/version', file)]],
      ['opencode.json', (file) => symlinkSync('opencode.json', file)],
    ];
    for (const [name, make] of cases) {
      const file = path.join(root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      make(file);
      const examined = examineTrust(root, { home });
      expect([name, examined.state, examined.problems.length]).toEqual([name, 'unknown', 1]);
      expect(await trustRepository(examined, { home })).toMatchObject({ ok: false, error: { code: 'invalid' } });
      rmSync(file);
    }
  });

  it.each<readonly [string, number, (at: number) => string]>([
    ['files', 1000, (at) => `${at}.sh`],
    ['folders', 499, (at) => `${at}/a.sh`],
    ['folders in one another', 10, (at) => `${'d/'.repeat(at + 1)}a.sh`],
  ])('is refused to more %s than anybody could look at', async (_, most, nameOf) => {
    const names = Array.from({ length: most }, (__, at) => `.claude/hooks/${nameOf(at)}`);
    const [root, home] = [makeFolder(Object.fromEntries(names.map((name) => [name, 'x']))), makeFolder()];
    expect(examineTrust(root, { home }).problems).toEqual([]);
    const oneMore = path.join(root, '.claude/hooks', nameOf(most));
    mkdirSync(path.dirname(oneMore), { recursive: true });
    writeFileSync(oneMore, 'x');
    const examined = examineTrust(root, { home });
    expect(examined.problems).toHaveLength(1);
    expect(await trustRepository(examined, { home })).toMatchObject({ ok: false, error: { code: 'invalid' } });
  });

  it('T17: is kept in files that only their owner can read, in a folder that only they can enter', async () => {
    const [root, home] = [makeRepository(), path.join(makeFolder(), 'home')];
    await grant(root, home);
    const modes = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => {
      const stats = statSync(path.join(home, name));
      return [stats.isDirectory(), stats.mode & 0o777];
    });
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(modes.length).toBeGreaterThanOrEqual(3);
    for (const [isFolder, mode] of modes) expect(mode).toBe(isFolder === true ? 0o700 : 0o600);
  });

  it('is nobody’s while its records can’t be understood, and they are not overwritten', async () => {
    const [root, home] = [makeRepository(), makeFolder()];
    const { key, hash: present } = examineTrust(root, { home });
    for (const text of [
      '{',
      '[]',
      '{"version":2}',
      JSON.stringify({ version: 2, repositories: { [key]: [{ hash: present, at: 'y' }] } }),
      '{"version":1,"repositories":{"x":[{"hash":"../../x","at":"y"}]}}',
    ]) {
      writeFileSync(path.join(home, 'trust.json'), text);
      const examined = examineTrust(root, { home });
      expect(examined.state).toBe('unknown');
      expect(examined.problems.join()).toContain('trust.json');
      expect((await trustRepository(examined, { home })).ok).toBe(false);
      expect(readFileSync(path.join(home, 'trust.json'), 'utf8')).toBe(text);
    }
  });

  it('is given after whoever changes the records at that moment, and neither loses anything', async () => {
    const [mine, theirs, home, elsewhere] = [makeFolder(FILES), makeFolder(FILES), makeFolder(), makeFolder()];
    await grant(theirs, elsewhere);
    const held = await lockFiles([path.join(home, 'trust.json')]);
    const given = grant(mine, home);
    await nextTurn();
    cpSync(path.join(elsewhere, 'trust.json'), path.join(home, 'trust.json'));
    held.release();
    await given;
    expect([mine, theirs].map((root) => examineTrust(root, { home }).state)).toEqual(['trusted', 'trusted']);
  });

  it('of many repositories given at once is kept for each', async () => {
    const home = makeFolder();
    const roots = Array.from({ length: 6 }, () => makeRepository());
    await Promise.all(roots.map((root) => grant(root, home)));
    expect(roots.map((root) => examineTrust(root, { home }).state)).toEqual(roots.map(() => 'trusted'));
  });
});

describe('T5: trust in a repository and its worktrees', () => {
  async function trusted(): Promise<{ readonly main: string; readonly home: string; readonly side: string }> {
    const [main, home] = [makeRepository(), makeFolder()];
    const side = path.join(makeFolder(), 'side');
    git(main, 'worktree', 'add', '-q', side);
    await grant(main, home);
    return { main, home, side };
  }

  it('a worktree that is really registered has the trust of its repository, as long as its configuration is the same', async () => {
    const { home, side } = await trusted();
    expect(examineTrust(side, { home }).state).toBe('trusted');
    appendFileSync(path.join(side, '.mcp.json'), '\n');
    expect(examineTrust(side, { home }).state).toBe('changed');
  });

  it('a folder whose git file names no registered worktree has none', async () => {
    const { main, home } = await trusted();
    const forged = makeFolder(FILES);
    writeFileSync(path.join(forged, '.git'), `gitdir: ${path.join(main, '.git/worktrees/missing')}\n`);
    expect(examineTrust(forged, { home })).toMatchObject({ state: 'unknown', key: `folder:${forged}` });
  });

  it('a folder with the git file of another checkout has none', async () => {
    const { home, side } = await trusted();
    const forged = makeFolder(FILES);
    cpSync(path.join(side, '.git'), path.join(forged, '.git'));
    expect(examineTrust(forged, { home })).toMatchObject({ state: 'unknown', key: `folder:${forged}` });
  });

  it('a folder whose .git is a link to another repository or worktree has none', async () => {
    const { main, home, side } = await trusted();
    for (const target of [path.join(main, '.git'), path.join(side, '.git')]) {
      const forged = makeFolder(FILES);
      symlinkSync(target, path.join(forged, '.git'));
      expect(examineTrust(forged, { home })).toMatchObject({ state: 'unknown', key: `folder:${forged}` });
    }
  });

  type Registered = { readonly main: string; readonly side: string; readonly admin: string };

  /** In each, one thing is other than git makes it. */
  it.each<readonly [string, (registered: Registered) => void]>([
    [
      'whose administration shares another repository',
      ({ admin }) => writeFileSync(`${admin}/commondir`, makeFolder()),
    ],
    ['whose repository has no objects', ({ main }) => renameSync(`${main}/.git/objects`, `${main}/.git/gone`)],
    [
      'whose administration stands elsewhere in its repository',
      ({ main, side, admin }) => {
        mkdirSync(`${main}/.git/modules`);
        renameSync(admin, `${main}/.git/modules/side`);
        writeFileSync(`${side}/.git`, `gitdir: ${main}/.git/modules/side\n`);
      },
    ],
    [
      'that names its administration by a link',
      ({ side, admin }) => {
        symlinkSync(admin, `${side}/link`);
        writeFileSync(`${side}/.git`, 'gitdir: link\n');
      },
    ],
    ['that is named back by a link', ({ admin }) => replaceByLink(`${admin}/gitdir`)],
    ['whose repository is named by a link', ({ admin }) => replaceByLink(`${admin}/commondir`)],
    ['whose git file is a link', ({ side }) => replaceByLink(`${side}/.git`)],
  ])('a worktree %s has none', async (_, change) => {
    const { main, home, side } = await trusted();
    expect(examineTrust(side, { home }).state).toBe('trusted');
    change({ main, side, admin: `${main}/.git/worktrees/side` });
    expect(examineTrust(side, { home })).toMatchObject({ state: 'unknown', key: `folder:${side}` });
  });

  it('a folder that brings its own administration, with a commondir that names another repository, has none', async () => {
    const { main, home } = await trusted();
    const forged = makeFolder({
      ...FILES,
      'fake/worktrees/x/HEAD': 'ref: refs/heads/main\n',
      'fake/worktrees/x/commondir': path.join(main, '.git'),
    });
    writeFileSync(path.join(forged, 'fake/worktrees/x/gitdir'), path.join(forged, '.git'));
    writeFileSync(path.join(forged, '.git'), 'gitdir: fake/worktrees/x\n');
    expect(examineTrust(forged, { home }).state).toBe('unknown');
    const inside = makeRepository();
    writeFileSync(path.join(inside, '.git/commondir'), path.join(main, '.git'));
    expect(examineTrust(inside, { home }).state).toBe('unknown');
  });
});

describe('files that can’t be looked at', () => {
  it('make a repository untrustworthy, not trusted', async () => {
    const [root, home] = [makeRepository(), makeFolder()];
    await grant(root, home);
    mkdirSync(path.join(root, '.claude/agents'), { recursive: true });
    symlinkSync('loop', path.join(root, '.claude/agents/loop'));
    expect(examineTrust(root, { home })).toMatchObject({ state: 'changed' });
    expect(examineTrust(root, { home }).problems.join()).toContain('loop');
  });
});

function replaceByLink(file: string): void {
  renameSync(file, `${file}-moved`);
  symlinkSync(`${path.basename(file)}-moved`, file);
}

function readdirOr(folder: string): ReadonlyArray<string> {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
