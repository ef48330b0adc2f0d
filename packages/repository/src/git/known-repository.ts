import { lstatSync, statSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { commitInFiles, readPlain } from './files-of-git.ts';
import type { Repository } from './repository.ts';

type Looks = { readonly ids: ReadonlyArray<number>; readonly config: string };
type Known = Looks & Repository;

const known = new Map<string, Known>();
const MOST = 500;

/**
 * What git said of a folder before, while all that it decided by is as it was: the folder, its `.git`, their owners and the configuration.
 * Null: git must be asked.
 */
export function knownRepository(path: string): Repository | null {
  const before = known.get(path);
  const now = before === undefined ? null : looksOf(path, before);
  if (before === undefined || now === null || now.config !== before.config) return null;
  if (now.ids.some((id, at) => id !== before.ids[at])) return null;
  return hasCommit(before.gitFolder) ? { root: before.root, gitFolder: before.gitFolder } : null;
}

export function rememberRepository(path: string, { root, gitFolder }: Repository): void {
  const looks = looksOf(path, { root, gitFolder });
  if (looks === null) return;
  if (known.size >= MOST) known.clear();
  known.set(path, { root, gitFolder, ...looks });
}

/** Null for anything but the top of a checkout with its repository in it, configured in one file and without detours. */
function looksOf(path: string, { root, gitFolder }: Repository): Looks | null {
  const [folder, top] = [statOf(path), statOf(root)];
  const [inner, common] = [lstatOf(join(path, '.git')), lstatOf(gitFolder)];
  if (folder === null || top === null || inner === null || common === null) return null;
  if (folder.ino !== top.ino || inner.ino !== common.ino || !inner.isDirectory()) return null;
  if (['commondir', 'config.worktree'].some((name) => lstatOf(join(gitFolder, name)) !== null)) return null;
  const config = readPlain(join(gitFolder, 'config'))?.toString('utf8') ?? '';
  if (config === '' || /include|worktree/i.test(config)) return null;
  return { ids: [folder, inner].flatMap(({ dev, ino, uid }) => [dev, ino, uid]), config };
}

function hasCommit(gitFolder: string): boolean {
  const head = readPlain(join(gitFolder, 'HEAD'))?.toString('utf8').trimEnd() ?? '';
  return typeof commitInFiles(gitFolder, head.replace(/^ref: /, '')) === 'string';
}

function statOf(path: string): Stats | null {
  try {
    return statSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function lstatOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}
