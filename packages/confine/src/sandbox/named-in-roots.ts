import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isInside, resolveInside } from '../containment/resolve.ts';
import { gitFileLeads } from '../guard/git-file.ts';
import { namedByGit, type NamedByGit } from '../guard/named-by-git.ts';
import { repositoryAround } from './git-mounts.ts';

/** `repositories`: folders in the roots that are repositories of their own, as far as they are known now. */
export type NamingPlaces = {
  readonly roots: ReadonlyArray<string>;
  readonly homes: ReadonlyArray<string>;
  readonly repositories: () => ReadonlyArray<string>;
};

/**
 * Files and folders of the roots that git obeys because its settings, or a person's, name them: included files, folders of hooks. Asked for
 * each command, and read again as soon as one of the files that say so is another one. The start of a command asks several times in one go,
 * and is answered once.
 */
export function namedInRoots({ roots, homes, repositories }: NamingPlaces): () => ReadonlyArray<string> {
  let known: { readonly value: ReadonlyArray<string>; readonly files: ReadonlyMap<string, string> } | null = null;
  let isAnswered = false;
  return () => {
    if (known !== null && isAnswered) return known.value;
    isAnswered = true;
    queueMicrotask(() => {
      isAnswered = false;
    });
    const tops = new Set([...roots.map((root) => repositoryAround(root) ?? root), ...repositories()]);
    const isOfThese = known !== null && [...tops].every((top) => known?.files.has(path.join(top, '.git')) === true);
    if (known !== null && isOfThese && isUnchanged(known.files)) return known.value;
    const found = [...tops].map((top) => namedIn(top, homes));
    const files = new Map(found.flatMap(({ read }) => read.map((file) => [file, versionOf(file)] as const)));
    const named = new Set(found.flatMap((one) => one.named).flatMap((at) => [at, ...roots.flatMap(leadsIn(at))]));
    const value = [...named].filter((at) => roots.some((root) => isInside(root, at) && at !== root));
    known = { value, files };
    return value;
  };
}

/** Where a path leads in a root by links, there or not. */
function leadsIn(at: string): (root: string) => ReadonlyArray<string> {
  return (root) => {
    try {
      return [resolveInside(root, at).real];
    } catch {
      return [];
    }
  };
}

function isUnchanged(files: ReadonlyMap<string, string>): boolean {
  for (const [file, version] of files) if (versionOf(file) !== version) return false;
  return true;
}

function namedIn(top: string, homes: ReadonlyArray<string>): NamedByGit {
  const personal = homes.flatMap((home) => ['.gitconfig', '.config/git/config'].map((name) => path.join(home, name)));
  const { named, read } = namedByGit({
    files: [...settingsOf(top), ...personal, '/etc/gitconfig'],
    top,
    home: homes[0] ?? top,
  });
  return { named, read: [path.join(top, '.git'), ...read] };
}

/** A worktree has the settings of the repository that it belongs to. */
function settingsOf(top: string): ReadonlyArray<string> {
  const git = path.join(top, '.git');
  const leads = gitFileLeads(git);
  const own = leads === null || leads === 'folder' || leads === 'empty' ? git : leads;
  const common = commonOf(own);
  return [path.join(common, 'config'), path.join(own, 'config.worktree')];
}

function commonOf(own: string): string {
  try {
    return path.resolve(own, readFileSync(path.join(own, 'commondir'), 'utf8').trimEnd());
  } catch {
    return own;
  }
}

/** A file may change twice in one tick of the disk's clock, and the second time unnoticed: one that is new is read each time. */
const TICK_MS = 2_000;

function versionOf(file: string): string {
  const stats = statusOf(file);
  if (stats === null) return 'absent';
  const isNew = Date.now() - Number(stats.ctimeMs) < TICK_MS;
  return isNew
    ? `new at ${performance.now()}`
    : `${stats.dev} ${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
}

function statusOf(file: string): BigIntStats | null {
  try {
    return statSync(file, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
