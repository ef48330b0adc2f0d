import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { git, type SandboxWorld } from './sandbox-world.ts';

/**
 * Something that a program outside obeys once it is there. `zone`: things of different zones can be made in one command. `text`: what the
 * file says; `%` is the folder around everything, where a program lies that leaves a mark. `in`: the repository in which git would obey it.
 * What does not lie in `.git`, and is not `named` by a setting or another file, may lie in any folder.
 */
export type ObeyedThing = {
  readonly zone: string;
  readonly at: string;
  readonly text: string;
  readonly setUp?: string;
  readonly in?: string;
  readonly named?: true;
};

const PROGRAM = '#!/bin/sh\n%/trap\n';
const MONITOR = '[core]\n\tfsmonitor = %/trap\n';

export const THINGS: ReadonlyArray<ObeyedThing> = [
  { zone: 'git', at: '.git/commondir', text: '%/evil\n', in: '.' },
  { zone: 'git', at: '.git/config.worktree', text: MONITOR, in: '.' },
  { zone: 'git', at: '.git/info/attributes', text: '* filter=x\n', in: '.' },
  { zone: 'git', at: '.git/objects/info/alternates', text: '%/evil/objects\n' },
  { zone: 'git', at: '.git/worktrees/w/commondir', text: '%/evil\n' },
  { zone: 'git', at: '.git/remotes/o', text: 'URL: ext::%/trap\n' },
  { zone: 'git', at: '.git/rebase-merge/git-rebase-todo', text: 'exec %/trap\n' },
  { zone: 'git', at: '.git/modules/m/config', text: MONITOR, setUp: 'git init -q --bare .git/modules/m' },
  { zone: 'hooks', at: '.git/hooks/post-index-change', text: PROGRAM, in: '.' },
  { zone: 'hooks', at: 'tools/hooks/post-index-change', text: PROGRAM, in: '.', named: true },
  { zone: 'include', at: 'local.config', text: MONITOR, in: '.', named: true },
  {
    zone: 's',
    at: 's/.git/config',
    text: `[core]\n\trepositoryformatversion = 0\n${MONITOR}`,
    setUp: 'git init -q s',
    in: 's',
  },
  { zone: 's', at: 's/.git/hooks/post-index-change', text: PROGRAM, setUp: 'git init -q s', in: 's' },
  { zone: 's', at: 's/deep/.git', text: 'gitdir: %/evil\n', in: 's/deep' },
  { zone: 'b', at: 'b/config', text: `[core]\n\tbare = true\n${MONITOR}`, setUp: 'git init -q --bare b', in: 'b' },
  { zone: 'e', at: 'e/.git', text: 'gitdir: %/evil\n', in: 'e' },
  ...['objects/o', 'refs/o', 'modules/a/b/c/d/e/f/g/h/i/j/k', 'worktrees/w/x'].map((place) => ({
    zone: 'led',
    at: 'led/.git',
    text: `gitdir: ../.git/${place}\n`,
    setUp: `git init -q --bare .git/${place}; for k in "fsmonitor $PWD/../trap" "bare false"; do git -C .git/${place} config core.$k; done`,
    in: 'led',
    named: true as const,
  })),
  { zone: 'program', at: 'tools/conv.sh', text: PROGRAM, in: '.', named: true },
  ...[
    '.vscode/tasks.json',
    'x/y/.idea/workspace.xml',
    '.EnvRC',
    '.mcp.json',
    'x/.cursor/rules',
    '.husky/pre-commit',
    '.zed/tasks.json',
  ].map((at) => ({ zone: at, at, text: '{}\n' })),
];

/** The folder of hooks is git's own, or the one that a setting names. */
export type HooksPlace = '.git/hooks' | 'tools/hooks';

/** What a person has before the first command: settings by which git obeys what is not there yet, and none of git's own folders for it. */
export function prepareObedience(root: string, hooks: HooksPlace): void {
  for (const name of ['.git/hooks', '.git/info']) rmSync(path.join(root, name), { recursive: true, force: true });
  git(root, 'config', 'extensions.worktreeConfig', 'true');
  git(root, 'config', 'filter.x.clean', path.join(root, '../trap'));
  git(root, 'config', 'include.path', '../local.config');
  git(root, 'config', 'diff.y.textconv', 'sh tools/conv.sh');
  writeFileSync(path.join(root, '.gitattributes'), 'a.txt diff=y\n');
  if (hooks === 'tools/hooks') git(root, 'config', 'core.hooksPath', hooks);
}

/** Puts what leaves a mark beside the workspace: a program, and a repository that names it. Tells whether the mark is there. */
export function layTraps({ top }: Pick<SandboxWorld, 'top'>): () => boolean {
  const trap = path.join(top, 'trap');
  writeFileSync(trap, `#!/bin/sh\n: > '${top}/MARK'\n`);
  chmodSync(trap, 0o755);
  git(top, 'init', '-q', '--bare', 'evil');
  git(path.join(top, 'evil'), 'config', 'core.fsmonitor', trap);
  git(path.join(top, 'evil'), 'config', 'core.bare', 'false');
  return () => existsSync(path.join(top, 'MARK'));
}

/** Words of bash that make a file. `$f`: a file with its content. */
type Way = (at: string, count: number) => string;

const folderOf = (at: string): string => `mkdir -p '${path.dirname(at)}'`;

const WAYS = {
  written: (at) => `${folderOf(at)}; cat $f > '${at}'`,
  appended: (at) => `${folderOf(at)}; while read -r l; do printf '%s\\n' "$l" >> '${at}'; done < $f`,
  'written from its folder': (at) => `${folderOf(at)}; (cd '${path.dirname(at)}' && cat $f > '${path.basename(at)}')`,
  'by another name of the folder': (at) => `${folderOf(at)}; cat $f > /proc/self/cwd/'${at}'`,
  'by its whole name': (at) => `${folderOf(at)}; cat $f | tee "$PWD/${at}" > /dev/null`,
  'renamed into place': (at, count) => `cp $f k${count}; ${folderOf(at)}; mv k${count} '${at}'`,
  'renamed beside it': (at) => `${folderOf(at)}; cp $f '${at}.x'; mv '${at}.x' '${at}'`,
  'a hard link': (at, count) => `cp $f k${count}; ${folderOf(at)}; ln -f k${count} '${at}'`,
  'a link': (at, count) => `cp $f k${count}; ${folderOf(at)}; ln -sf "$PWD/k${count}" '${at}'`,
  copied: (at) => `install -D -m 755 $f '${at}'`,
  'from an archive': (at, count) =>
    `mkdir -p '/tmp/t${count}/${path.dirname(at)}'; cp $f '/tmp/t${count}/${at}'; tar -C /tmp/t${count} -cf - '${at}' | tar -xf -`,
  'with its folder': (at, count) => {
    const [first = '', ...rest] = at.startsWith('.git/')
      ? [`.git/${at.split('/')[1]}`, ...at.split('/').slice(2)]
      : at.split('/');
    if (rest.length === 0) return `cp $f k${count}; mv k${count} '${at}'`;
    const inner = path.join(`n${count}`, ...rest);
    return `if [ -e '${first}' ]; then cat $f > '${at}'; else ${folderOf(inner)}; cp $f '${inner}'; mv n${count} '${first}'; fi`;
  },
  'in the background': (at) => `(sleep 0.01; ${folderOf(at)}; cat $f > '${at}') & wait`,
  'in a session of its own': (at) => `${folderOf(at)}; setsid -w dd if=$f of='${at}' status=none`,
  'by another program': (at) =>
    `${folderOf(at)}; perl -e 'open A, "<", $ARGV[0]; open B, ">", $ARGV[1]; print B <A>' $f '${at}'`,
} satisfies Readonly<Record<string, Way>>;

export type WayName = keyof typeof WAYS;

export const WAY_NAMES: ReadonlyArray<WayName> = [
  'written',
  'appended',
  'written from its folder',
  'by another name of the folder',
  'by its whole name',
  'renamed into place',
  'renamed beside it',
  'a hard link',
  'a link',
  'copied',
  'from an archive',
  'with its folder',
  'in the background',
  'in a session of its own',
  'by another program',
];

/** The words that make a thing in a way; `count` is different for each of a command, and `content` a file with its text. */
export function makeThing(
  { at, text, setUp = ':' }: ObeyedThing,
  way: WayName,
  { count, content }: { readonly count: number; readonly content: string },
): string {
  const run = text.startsWith('#!') ? `; chmod +x '${at}' 2>/dev/null` : '';
  return `f='${content}'; ${setUp}; ${WAYS[way](at, count)}${run}`;
}
