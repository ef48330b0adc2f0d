import { lstatSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Which repository a folder belongs to. `root` is the real path of its checkout; `key` is the name for its trust: the git folder that all
 * of its worktrees share, or the checkout's own path if that can't be proven. A checkout can't claim a key by itself: a worktree shares the
 * key of its repository only if that repository names the worktree too.
 */
export type RepositoryIdentity = { readonly root: string; readonly key: string };

export function identifyRepository(folder: string): RepositoryIdentity {
  const root = rootOf(realpathSync(folder));
  const git = lstatSync(path.join(root, '.git'), { throwIfNoEntry: false });
  if (git?.isDirectory() === true) return { root, key: `git:${path.join(root, '.git')}` };
  const common = git?.isFile() === true ? commonFolder(root) : null;
  return { root, key: common === null ? `folder:${root}` : `git:${common}` };
}

/** The nearest folder upwards with a `.git` of any type, otherwise the folder itself; found without running anything. */
function rootOf(folder: string): string {
  for (let at = folder; ; at = path.dirname(at)) {
    if (isThere(path.join(at, '.git'))) return at;
    if (at === path.dirname(at)) return folder;
  }
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/**
 * `<common>/worktrees/<name>` with a `gitdir` that points back to this checkout and a `commondir` that points to `<common>`; otherwise
 * null.
 */
function commonFolder(root: string): string | null {
  try {
    const link = path.join(root, '.git');
    const named = /^gitdir: (.+)$/m.exec(smallText(link))?.[1];
    if (named === undefined) return null;
    const admin = path.resolve(root, named);
    if (!lstatSync(admin).isDirectory()) return null;
    const real = realpathSync(admin);
    const common = path.dirname(path.dirname(real));
    const back = path.resolve(real, smallText(path.join(real, 'gitdir')).trim());
    const shared = path.resolve(real, smallText(path.join(real, 'commondir')).trim());
    const isRegistered =
      path.basename(path.dirname(real)) === 'worktrees' &&
      path.basename(back) === '.git' &&
      realpathSync(path.dirname(back)) === root &&
      realpathSync(shared) === common &&
      statSync(path.join(common, 'objects')).isDirectory() &&
      statSync(path.join(real, 'HEAD')).isFile();
    return isRegistered ? common : null;
  } catch {
    return null;
  }
}

const MAX_LINK = 8192;

function smallText(file: string): string {
  const stats = lstatSync(file);
  return stats.isFile() && stats.size <= MAX_LINK ? readFileSync(file, 'utf8') : '';
}
