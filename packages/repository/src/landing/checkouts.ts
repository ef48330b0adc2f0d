import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git, type Repository } from '../git/repository.ts';
import { adminFolder } from '../git/worktree-admin.ts';

/** A worktree, a person's or ours, that moves with a branch. `busy`: what goes on there, so that the branch must not move now. */
export type Checkout = {
  readonly folder: string;
  /** Git's own folder for this worktree: its index and its HEAD are there. */
  readonly admin: string;
  readonly busy: string | null;
};

/** Every worktree that has the branch checked out, or has it in the middle of a rebase or a bisection. */
export async function readCheckouts(repository: Repository, branch: string): Promise<ReadonlyArray<Checkout>> {
  const listed = await git(['worktree', 'list', '--porcelain', '-z'], { cwd: repository.root });
  const entries = listed.ok ? listed.value.split('\0\0').map(readEntry) : [];
  const found: Checkout[] = [];
  for (const [at, entry] of entries.entries()) {
    const has = entry.branch === `refs/heads/${branch}`;
    if (!existsSync(entry.folder)) {
      // A locked entry stands for a disk that is not plugged in; any other one is only left over.
      if (has && entry.locked) found.push({ folder: entry.folder, admin: '', busy: 'is not reachable now' });
      continue;
    }
    // Git lists the main worktree first.
    const own = at === 0 ? repository.gitFolder : adminFolder(repository, entry.folder);
    const admin = has || own === null ? await askedAdmin(entry.folder) : own;
    if (admin === null) continue;
    const busy = await workInProgress(admin, { branch, has });
    if (has || busy !== null) found.push({ folder: entry.folder, admin, busy });
  }
  return found;
}

/** Null where git does not find its way from the folder to the repository. */
async function askedAdmin(folder: string): Promise<string | null> {
  const asked = await git(['rev-parse', '--absolute-git-dir'], { cwd: folder });
  return asked.ok ? asked.value : null;
}

type Entry = { readonly folder: string; readonly branch: string | null; readonly locked: boolean };

function readEntry(block: string): Entry {
  const lines = block.split('\0');
  const field = (name: string): string | null =>
    lines.find((line) => line.startsWith(`${name} `))?.slice(name.length + 1) ?? null;
  const locked = lines.some((line) => line === 'locked' || line.startsWith('locked '));
  return { folder: field('worktree') ?? '', branch: field('branch'), locked };
}

/** Files of git that name the branch they will move when they are done: HEAD is detached meanwhile. */
const MOVES_LATER = [
  ['rebase-merge/head-name', 'is in the middle of a rebase of it: finish that, or run "git rebase --abort"'],
  ['rebase-apply/head-name', 'is in the middle of a rebase of it: finish that, or run "git rebase --abort"'],
  ['BISECT_START', 'is in the middle of a bisection of it: finish that with "git bisect reset"'],
] as const;

/** Files that are there while something is to be concluded on the branch that is checked out. */
const CONCLUDES_HERE = [
  ['MERGE_HEAD', 'is in the middle of a merge: finish it, or run "git merge --abort"'],
  ['CHERRY_PICK_HEAD', 'is in the middle of a cherry-pick: finish it, or run "git cherry-pick --abort"'],
  ['REVERT_HEAD', 'is in the middle of a revert: finish it, or run "git revert --abort"'],
  ['rebase-merge', 'is in the middle of a rebase: finish it, or run "git rebase --abort"'],
  ['rebase-apply', 'is in the middle of a rebase: finish it, or run "git rebase --abort"'],
] as const;

async function workInProgress(
  admin: string,
  { branch, has }: { readonly branch: string; readonly has: boolean },
): Promise<string | null> {
  for (const [file, words] of MOVES_LATER) {
    const named = (await readFile(join(admin, file), 'utf8').catch(() => '')).trim();
    if (named === `refs/heads/${branch}` || named === branch) return words;
  }
  if (!has) return null;
  return CONCLUDES_HERE.find(([file]) => existsSync(join(admin, file)))?.[1] ?? null;
}
