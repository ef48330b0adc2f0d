import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { chance, pick, type Dice } from './dice.ts';
import { configText } from './hostile-config.ts';

/** `ws` is the workspace. Nothing of `home/letters` and `other` may be read, and `trap` may not run. `place`: where something was made. */
export type HostileWorld = {
  readonly top: string;
  readonly ws: string;
  readonly home: string;
  readonly place: string;
  readonly kinds: ReadonlyArray<string>;
};

/** Real repositories, made once; each world is a copy of them, and then something of it is bent. */
export function makeTemplate(top: string): void {
  for (const folder of ['ws/sub/deep', 'ws/tests', 'home', 'other', 'ws/a b'])
    mkdirSync(join(top, folder), { recursive: true });
  writeFileSync(join(top, 'home/letters'), 'dear diary\n');
  writeFileSync(join(top, 'trap'), `#!/bin/sh\n: > '${top}/SPRUNG'\nexit 0\n`);
  chmodSync(join(top, 'trap'), 0o755);
  const files = { 'a.txt': 'one\n', 'sub/b.txt': 'two\n', 'sub/deep/c.bin': 'x\0y\n', 'a b/d.txt': 'three\n' };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(top, 'ws', name), text);
  writeFileSync(join(top, 'ws/.gitattributes'), '* diff=x filter=x merge=x\n*.bin diff=y\n');
  writeFileSync(join(top, 'other/secret.txt'), 'another repository\n');
  for (const name of ['ws', 'other']) {
    const run = gitIn(join(top, name), join(top, 'home'));
    run('init', '-q', '-b', 'main', '--template=');
    run('add', '.');
    run('commit', '-qm', 'first');
    writeFileSync(join(top, name, name === 'ws' ? 'a.txt' : 'secret.txt'), 'changed\n');
    run('commit', '-qam', 'second');
    run('tag', '-am', 'signed?', 'v1');
  }
  writeFileSync(join(top, 'ws/a.txt'), 'changed again\n');
}

function gitIn(cwd: string, home: string): (...args: ReadonlyArray<string>) => void {
  const env = { PATH: '/usr/bin:/bin', HOME: home, GIT_CONFIG_NOSYSTEM: '1' };
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.test', '-c', 'protocol.file.allow=always'];
  return (...args) => void execFileSync('/usr/bin/git', [...identity, ...args], { cwd, env, stdio: 'ignore' });
}

export function makeWorld(template: string, top: string, dice: Dice): HostileWorld {
  cpSync(template, top, { recursive: true, verbatimSymlinks: true });
  writeFileSync(join(top, 'trap'), `#!/bin/sh\n: > '${top}/SPRUNG'\nexit 0\n`);
  const own = { ws: join(top, 'ws'), home: join(top, 'home'), source: join(template, 'ws/.git') };
  const bending: Bending = { top, ...own, place: pick(PLACES, dice), dice };
  mkdirSync(join(bending.ws, bending.place), { recursive: true });
  const kinds = Array.from({ length: 1 + (chance(0.3, dice) ? 1 : 0) }, () => pick(Object.keys(BENDS), dice));
  for (const kind of kinds) {
    try {
      BENDS[kind]?.(bending);
    } catch {
      // Two of them may be in each other's way; what stands by then is the world.
    }
  }
  return { ...bending, kinds };
}

type Bending = {
  readonly top: string;
  readonly ws: string;
  readonly home: string;
  /** The git folder of the template, which nothing bends. */
  readonly source: string;
  readonly place: string;
  readonly dice: Dice;
};

const PLACES = ['.', '.', 'sub', 'sub/deep', 'tests/fx', 'a b', 'tests/ü', 'tests/x-'];

/** Each makes the world so that git finds, or obeys, something else than what is in sight. */
const BENDS: Readonly<Record<string, (bending: Bending) => void>> = {
  'settings of the repository': ({ ws, top, dice }) => writeFileSync(join(ws, '.git/config'), configText(top, dice)),
  'settings of a worktree': ({ ws, top, dice }) => {
    writeFileSync(join(ws, '.git/config'), `${FORMAT}[extensions]\n\tworktreeConfig = true\n`);
    writeFileSync(join(ws, '.git/config.worktree'), configText(top, dice));
  },
  'an included file': ({ ws, top, dice }) => {
    writeFileSync(join(ws, 'sub/more'), configText(top, dice));
    const how = pick(['[include]', '[includeIf "gitdir:**"]', '[includeIf "onbranch:main"]', '[Include "x"]'], dice);
    writeFileSync(join(ws, '.git/config'), `${FORMAT}${how}\n\tpath = ../sub/more\n`);
  },
  'a folder like a repository': (bending) => bareAt(join(bending.ws, bending.place), bending),
  'HEAD and commondir': (bending) => {
    const { ws, place, dice } = bending;
    const at = join(ws, place);
    write(join(at, 'HEAD'), pick(['ref: refs/heads/main\n', 'ref: refs/heads/main', `${'1'.repeat(40)}\n`], dice));
    write(join(at, 'commondir'), `${up(place)}tests/data${pick(ENDS, dice)}`);
    if (chance(0.3, dice)) mkdirSync(join(at, 'refs'), { recursive: true });
    bareAt(join(ws, 'tests/data'), bending);
  },
  'a gitdir file': (bending) => {
    const { ws, top, place, dice } = bending;
    const at = join(ws, place);
    const data = pick(['tests/data', 'tests/data\r', 'tests/da ta', 'tests/data\u{e9}'], dice);
    rmSync(join(at, '.git'), { recursive: true, force: true });
    const named = pick([`${up(place)}${data}`, join(ws, data), join(top, 'other/.git')], dice);
    write(
      join(at, '.git'),
      `${pick(['gitdir: ', 'gitdir: ', 'gitdir:', 'gitdir:  '], dice)}${named}${pick(ENDS, dice)}`,
    );
    bareAt(join(ws, data), bending);
    if (chance(0.4, dice)) write(join(ws, data, 'commondir'), pick(['../data', '.', join(top, 'other/.git')], dice));
  },
  'an empty .git in a repository': (bending) => {
    const { ws, place } = bending;
    rmSync(join(ws, place, '.git'), { recursive: true, force: true });
    mkdirSync(join(ws, place, '.git'), { recursive: true });
    bareAt(join(ws, place), bending);
  },
  'a link for .git': (bending) => {
    const { ws, top, place, dice } = bending;
    rmSync(join(ws, place, '.git'), { recursive: true, force: true });
    bareAt(join(ws, 'tests/data'), bending);
    symlinkSync(pick([join(ws, 'tests/data'), join(top, 'other/.git')], dice), join(ws, place, '.git'));
  },
  'a submodule': ({ ws, top, place, dice, home }) => {
    const at = join(ws, place === '.' ? 'tests/mod' : place, 'mod');
    mkdirSync(at, { recursive: true });
    const inner = gitIn(at, home);
    inner('init', '-q', '--template=');
    inner('commit', '-q', '--allow-empty', '-m', 'inner');
    const run = gitIn(ws, home);
    run('add', at);
    if (chance(0.3, dice)) run('update-index', '--split-index');
    if (chance(0.3, dice)) run('update-index', '--index-version', '4');
    if (chance(0.3, dice)) run('submodule', 'absorbgitdirs');
    const config = join(at, '.git/config');
    writeFileSync(existsSync(config) ? config : join(ws, '.git/modules/mod/config'), configText(top, dice));
  },
  'a worktree': ({ ws, top, dice, home }) => {
    // Elsewhere the other repository would get a worktree here that it knows, and reading that is what git is for.
    if (!lstatSync(join(ws, '.git')).isDirectory()) return;
    gitIn(ws, home)('worktree', 'add', '-q', '-b', `w${String(dice.roll(1_000_000))}`, join(ws, 'tests/tree'));
    if (chance(0.5, dice)) writeFileSync(join(ws, '.git/config'), configText(top, dice));
    if (chance(0.5, dice)) write(join(ws, '.git/worktrees/tree/commondir'), pick(['../..', '../../../sub'], dice));
  },
  'a link inside': ({ ws, home, dice }) => {
    const names =
      'info/exclude packed-refs shallow info/attributes rebase-merge/done index refs/heads/x logs/HEAD HEAD';
    const at = join(ws, '.git', pick(names.split(' '), dice));
    mkdirSync(dirname(at), { recursive: true });
    rmSync(at, { force: true });
    symlinkSync(join(home, 'letters'), at);
  },
  alternates: ({ ws, top, dice }) =>
    write(
      join(ws, '.git/objects/info/alternates'),
      `${pick([`${top}/other/.git/objects`, `${top}/home/letters`], dice)}\n`,
    ),
  'a hook': ({ ws, top, dice }) => {
    const folder = pick(['.git/hooks', 'sub/hooks'], dice);
    if (folder !== '.git/hooks') writeFileSync(join(ws, '.git/config'), `${FORMAT}\thooksPath = ${folder}\n`);
    for (const name of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman'])
      copy(join(top, 'trap'), join(ws, folder, name));
  },
  'settings of the person': ({ top, home, ws, dice }) => {
    copy(join(top, 'trap'), join(ws, 'trap'));
    const lines = [
      '[core]\n\tfsmonitor = ./trap',
      '[core]\n\thooksPath = sub/hooks',
      `[include]\n\tpath = ${ws}/sub/more`,
    ];
    writeFileSync(join(home, '.gitconfig'), `${pick([...lines, '[diff "x"]\n\ttextconv = sub/../trap'], dice)}\n`);
    copy(join(top, 'trap'), join(ws, 'sub/hooks/post-index-change'));
    writeFileSync(join(ws, 'sub/more'), configText(top, dice));
  },
};

const FORMAT = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n';
const ENDS = ['', '\n', '\r\n', '\n\n', ' \n', '\n# x\n', '\0', '\n\0', '/\n', '/.\n'];

function bareAt(at: string, { source, top, dice }: Bending): void {
  for (const name of ['objects', 'refs/heads']) mkdirSync(join(at, name), { recursive: true });
  if (chance(0.9, dice)) {
    for (const name of ['objects', 'refs']) cpSync(join(source, name), join(at, name), { recursive: true });
    if (chance(0.7, dice)) cpSync(join(source, 'index'), join(at, 'index'));
  }
  write(join(at, 'HEAD'), 'ref: refs/heads/main\n');
  write(join(at, 'config'), configText(top, dice));
}

/** From a place back to the workspace. */
function up(place: string): string {
  return place === '.' ? '' : '../'.repeat(place.split('/').length);
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, text);
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}
