import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { isInside } from '../containment/resolve.ts';
import { entriesWithin } from './closed-folders.ts';
import { isHarmlessConfig } from './harmless-config.ts';
import { entryAt } from '../containment/list-folder.ts';

/**
 * A folder of git's. `isOwn`: a command made it, so its configuration and hooks are no mount's but judged by what they say.
 * `fixed` are the names in it that can't be changed from inside.
 */
export type GitFolder = {
  readonly at: string;
  readonly isOwn: boolean;
  readonly fixed: ReadonlySet<string>;
};

/** Where commands may write: what a file of git's names must lie in there. */
type Roots = ReadonlyArray<string>;

/** Files in a folder of git's by which git outside would run a program, or look or write elsewhere. */
export function harmIn(git: GitFolder, roots: Roots): ReadonlyArray<string> {
  const entries = new Map(entriesOf(git.at).map((entry) => [entry.name, entry]));
  const judged = [...entries.keys()].filter((name) => !git.fixed.has(name));
  return [
    ...judged.flatMap(
      (name) => JUDGES[name]?.(path.join(git.at, name), { git, roots, entry: entries.get(name) }) ?? [],
    ),
    ...[...entries.values()]
      .filter((entry) => entry.isSymbolicLink() && !TRIED.test(entry.name))
      .map(({ name }) => path.join(git.at, name)),
    ...(entries.get('logs')?.isDirectory() === true
      ? LOGS.map((name) => path.join(git.at, name))
          .filter((at) => existsSync(at))
          .flatMap(linksIn)
      : []),
  ];
}

/** Folders in it whose changes matter, of those that are there. */
export function foldersOf(git: GitFolder): ReadonlyArray<string> {
  const there = new Set(namesIn(git.at));
  const isOpen = (name: string): boolean => there.has(name) && !git.fixed.has(name);
  const place = (name: string): string => path.join(git.at, name);
  const deeper = DEEPER.filter((name) => isOpen(name.split('/', 1)[0] ?? '')).map(place);
  return [
    git.at,
    ...WATCHED.filter(isOpen).map(place),
    ...deeper.filter((at) => existsSync(at)),
    ...LINKED.filter(isOpen).flatMap((name) => [
      place(name),
      ...namesIn(place(name)).map((one) => path.join(place(name), one)),
    ]),
  ];
}

const WATCHED = ['hooks', 'info', 'rebase-merge', 'rebase-apply', 'sequencer', 'remotes', 'branches', 'logs'];
const DEEPER = ['objects/info', 'logs/refs', 'logs/refs/heads'];
const LINKED = ['modules', 'worktrees'];

/** Whether a change at this place is looked at by itself; all others are looked at together. */
export function isJudged(git: GitFolder, at: string): boolean {
  const [name = '', ...below] = path.relative(git.at, at).split('/');
  return Object.hasOwn(JUDGES, name) && !(name === 'objects' && below.length === 0);
}

/** A new repository tries whether there are links, by one of such a name. */
const TRIED = /^t\w{6}$/;
/** Where git opens files for writing by their plain names. */
const LOGS = ['logs', 'logs/refs', 'logs/refs/heads'];

type Around = { readonly git: GitFolder; readonly roots: Roots; readonly entry: Dirent | undefined };

type Judge = (at: string, around: Around) => ReadonlyArray<string>;

const JUDGES: Readonly<Record<string, Judge>> = {
  commondir: (at) => [at],
  'config.worktree': (at) => [at],
  config: (at, { git, roots }) => (git.isOwn && !isHarmlessFile(at, git, roots) ? [at] : []),
  hooks: (at) => namesIn(at).flatMap((name) => (name.endsWith('.sample') ? [] : [path.join(at, name)])),
  info: (at) => namesIn(at).flatMap((name) => (HARMLESS_INFO.has(name) ? [] : [path.join(at, name)])),
  remotes: (at) => namesIn(at).map((name) => path.join(at, name)),
  branches: (at) => namesIn(at).map((name) => path.join(at, name)),
  objects: (at, { roots }) => alternates(path.join(at, 'info/alternates'), roots),
  'rebase-merge': (at) => listWithPrograms(path.join(at, 'git-rebase-todo')),
  'rebase-apply': (at) => listWithPrograms(path.join(at, 'git-rebase-todo')),
  sequencer: (at) => listWithPrograms(path.join(at, 'todo')),
  modules: (at, { roots }) => harmInModules(at, roots),
  worktrees: (at, { roots }) => namesIn(at).flatMap((name) => harmInWorktree(path.join(at, name), roots)),
};

const NONE: ReadonlySet<string> = new Set();
const HARMLESS_INFO = new Set(['exclude', 'sparse-checkout', 'refs', 'grafts', 'commit-graphs']);

function isHarmlessFile(at: string, git: GitFolder, roots: Roots): boolean {
  const text = ownText(at);
  if (text === undefined) return true;
  return text !== null && isHarmlessConfig(text, (value) => isInsideAny(roots, path.resolve(git.at, value)));
}

/** The administrative folder of a worktree: its repository is the one around it, and its checkout lies where commands may write. */
function harmInWorktree(admin: string, roots: Roots): ReadonlyArray<string> {
  const names = new Set(namesIn(admin));
  // Empty: still being written, and git takes it for broken.
  const isBad = (name: string, isGood: (text: string) => boolean): boolean => {
    const text = names.has(name) ? ownText(path.join(admin, name)) : undefined;
    return text === null || (text !== undefined && text !== '' && !isGood(text.replace(/\n$/, '')));
  };
  const bad = [
    ...(isBad('commondir', (text) => text === '../..') ? ['commondir'] : []),
    ...(isBad('gitdir', (text) => isInsideAny(roots, path.resolve(admin, text))) ? ['gitdir'] : []),
    ...(names.has('config.worktree') ? ['config.worktree'] : []),
  ].map((name) => path.join(admin, name));
  return [
    ...bad,
    ...listWithPrograms(path.join(admin, 'rebase-merge/git-rebase-todo')),
    ...harmInModules(path.join(admin, 'modules'), roots),
  ];
}

function harmInModules(folder: string, roots: Roots): ReadonlyArray<string> {
  return modulesIn(folder).flatMap((module) => harmIn({ at: module, isOwn: true, fixed: NONE }, roots));
}

/** Whether a folder is one of these, or where git keeps a worktree or a submodule of one: what it holds is looked at. */
export function isKept(led: string, gits: Iterable<GitFolder>, roots: Roots): boolean {
  return isInsideAny(roots, led) && [...gits].some(({ at }) => at === led || (isInside(at, led) && isKeptIn(at, led)));
}

function isKeptIn(git: string, led: string): boolean {
  const [kind, name, ...rest] = path.relative(git, led).split('/');
  if (kind === 'worktrees' && name !== undefined)
    return rest.length === 0 || (rest[0] === 'modules' && isKeptIn(path.join(git, kind, name), led));
  if (kind !== 'modules' || name === undefined) return false;
  const around = modulesIn(path.join(git, kind)).find((module) => isInside(module, led));
  // Nothing there yet: git writes the file that leads there first.
  if (around === undefined) return rest.length <= MODULE_DEPTH;
  return around === led || isKeptIn(around, led);
}

/** Repositories of submodules: their names may hold slashes. */
export function modulesIn(folder: string, depth = 0): ReadonlyArray<string> {
  if (depth > MODULE_DEPTH) return [];
  return entriesOf(folder)
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const at = path.join(folder, name);
      return namesIn(at).includes('HEAD') ? [at] : modulesIn(at, depth + 1);
    });
}

const MODULE_DEPTH = 8;

function alternates(at: string, roots: Roots): ReadonlyArray<string> {
  const text = ownText(at);
  if (text === undefined) return [];
  const folder = path.dirname(path.dirname(at));
  const lines = text?.split('\n').filter(Boolean) ?? [];
  return text !== null && lines.every((line) => isInsideAny(roots, path.resolve(folder, line))) ? [] : [at];
}

/** A list of steps that tells git to run something. */
function listWithPrograms(at: string): ReadonlyArray<string> {
  const text = ownText(at);
  return text === undefined || (text !== null && !holdsPrograms(text)) ? [] : [at];
}

export function holdsPrograms(todo: string): boolean {
  return /^\s*(?:x|exec)\b/m.test(todo);
}

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
const MAX_BYTES = 1 << 20;

/** Undefined: nothing there. Null: no plain file of its own, so what it says can't be relied on: a link, a pipe, a file with another name. */
function ownText(at: string): string | null | undefined {
  // An exception costs more than the question.
  if (!existsSync(at) && !isLink(at)) return undefined;
  let descriptor: number;
  try {
    descriptor = openSync(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch (error) {
    return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
      ? undefined
      : null;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.nlink > 1 || stats.size > MAX_BYTES) return stats.nlink === 0 ? undefined : null;
    return readFileSync(descriptor, 'utf8');
  } catch {
    return null;
  } finally {
    closeSync(descriptor);
  }
}

function isLink(at: string): boolean {
  return entryAt(at)?.isSymbolicLink() === true;
}

function isInsideAny(roots: Roots, at: string): boolean {
  return roots.some((root) => isInside(root, at));
}

function linksIn(folder: string): ReadonlyArray<string> {
  return entriesOf(folder)
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => path.join(folder, name));
}

function entriesOf(folder: string): ReadonlyArray<Dirent> {
  return entriesWithin(folder, 'to stay');
}

function namesIn(folder: string): ReadonlyArray<string> {
  return entriesOf(folder).map(({ name }) => name);
}
