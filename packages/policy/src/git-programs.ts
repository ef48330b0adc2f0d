import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Why git, even when it only reads, might run a program that the repository around a folder names; null when it can't.
 * Who wrote `.git` need not be who works here: an archive or another user may have brought it. Looks at every file that git
 * itself would obey there, and at names only: what a value says is not trusted to be harmless.
 */
export function programNamedByRepository(folder: string): string | null {
  const repository = repositoryAround(folder);
  if (repository === null) return null;
  try {
    return problemIn(repository);
  } catch {
    return 'the repository’s own files can’t be read';
  }
}

/** `top`: the folder that holds `.git`, or the repository itself where it is a bare one. */
type Repository = { readonly top: string; readonly own: string; readonly common: string };

/**
 * The folder whose files git runs as hooks, where the repository around a folder names one of its own; null when it does not. What
 * can't be read names none: git would not run it either.
 */
export function namedHooksFolder(folder: string): string | null {
  const repository = repositoryAround(folder);
  if (repository === null) return null;
  try {
    const texts = configurationOf(repository).map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''));
    const named = texts.flatMap((text) => [...text.matchAll(HOOKS_PATH)]).at(-1)?.[1];
    const value = named?.trim().replaceAll(/^"|"$/g, '');
    return value === undefined ? null : path.resolve(repository.top, value);
  } catch {
    return null;
  }
}

const HOOKS_PATH = /(?:^|\])[ \t]*hookspath[ \t]*=[ \t]*([^\n#;]+)/gim;

/** As git looks: a `.git` folder or file, or a folder that is a bare repository itself, here or in a parent. */
function repositoryAround(folder: string): Repository | null {
  for (let at = folder; ; at = path.dirname(at)) {
    const marked = path.join(at, '.git');
    if (existsSync(marked)) return { top: at, ...withCommon(gitFolder(marked)) };
    if (['HEAD', 'objects', 'refs'].every((name) => existsSync(path.join(at, name))))
      return { top: at, ...withCommon(at) };
    if (at === path.dirname(at)) return null;
  }
}

function gitFolder(marked: string): string {
  if (statSync(marked).isDirectory()) return marked;
  const named = /^gitdir: (.*)$/m.exec(readFileSync(marked, 'utf8'))?.[1]?.trimEnd() ?? '';
  return path.resolve(path.dirname(marked), named);
}

function withCommon(own: string): Pick<Repository, 'own' | 'common'> {
  const pointer = path.join(own, 'commondir');
  const common = existsSync(pointer) ? path.resolve(own, readFileSync(pointer, 'utf8').trimEnd()) : own;
  return { own, common };
}

function configurationOf({ own, common }: Repository): ReadonlyArray<string> {
  return [path.join(common, 'config'), path.join(own, 'config.worktree')];
}

function problemIn(repository: Repository): string | null {
  const { own, common } = repository;
  for (const file of configurationOf(repository)) {
    const key = remembered(file, programKeyIn);
    if (key !== null) return `the repository’s git configuration sets ${key}, which may name a program`;
  }
  if (existsSync(path.join(common, 'hooks/post-index-change'))) return 'the repository has a hook that git may run';
  const modules = path.join(common, 'modules');
  const hasModules = existsSync(modules) && readdirSync(modules).length > 0;
  if (hasModules || remembered(path.join(own, 'index'), submoduleIn) !== null)
    return 'the repository has submodules, whose own configuration git obeys';
  return null;
}

/** Keys of git that name a program for something that reading commands do, lead to another file of settings, or to another folder. */
const PROGRAM_KEY =
  /(?:^|\])\s*(fsmonitor|hookspath|textconv|external|command|cmd|clean|smudge|process|driver|program|defaultkeycommand|alternaterefscommand|showsignature|path|worktree|promisor|partialclone\w*|uploadpack|vcs|sshcommand|gitproxy)\s*(?:$|[=#;])/im;

/** `true` and `false` stand for git's own daemon, not for a program of the repository. */
const OWN_DAEMON = /(^|\])\s*fsmonitor\s*=\s*(?:true|false)\s*$/gim;

function programKeyIn(bytes: Buffer): string | null {
  return PROGRAM_KEY.exec(bytes.toString('latin1').replaceAll(OWN_DAEMON, '$1'))?.[1] ?? null;
}

const HEADER = 12;
const MODE = 24;
const SUBMODULE = 0o160000;

/** Index entries are aligned to 8 bytes in versions 2 and 3; a later version is searched byte by byte. */
function submoduleIn(bytes: Buffer): string | null {
  const isAligned = bytes.length > HEADER && bytes.readUInt32BE(4) < 4;
  for (let at = HEADER + MODE; at + 4 <= bytes.length; at += isAligned ? 8 : 1) {
    if (bytes.readUInt32BE(at) === SUBMODULE) return 'a submodule';
  }
  return null;
}

type Look = (bytes: Buffer) => string | null;

const known = new Map<string, { readonly version: string; readonly found: string | null }>();

/** Read again only when the file changed: a session judges many commands in one repository. */
function remembered(file: string, look: Look): string | null {
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (status === undefined) return null;
  if (!status.isFile()) return `${path.basename(file)} as something else than a file`;
  const version = `${status.ino} ${status.size} ${status.mtimeMs} ${status.ctimeMs}`;
  const before = known.get(file);
  if (before?.version === version) return before.found;
  const found = look(readFileSync(file));
  if (known.size > 1_000) known.clear();
  known.set(file, { version, found });
  return found;
}
