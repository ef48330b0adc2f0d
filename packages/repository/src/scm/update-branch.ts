import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { done } from '@attractor/base';
import { type GitPerson, runGit } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';
import { withRepoLock } from '../git/repo-lock.ts';
import { headOf } from '../git/checked-out.ts';
import { git, type Repository } from '../git/repository.ts';
import { isOurWorktree } from '../git/worktrees-folder.ts';
import { branchTip, checkoutsOf, isAncestor, mergeTrees } from '../git/commits.ts';
import { droppedBase, mergeSince } from '../git/dropped-base.ts';

/**
 * `rebased` if nobody else can have the branch; `merged` if it was pushed, so that nothing has to be forced; `marked` if the base is in, with
 * its conflicts marked in the files.
 */
export type BranchUpdate = {
  readonly how: 'up to date' | 'rebased' | 'merged' | 'marked';
  /** The files with marks. */
  readonly conflicts?: ReadonlyArray<string>;
  readonly before: string;
  readonly after: string;
};

export type UpdateRequest = {
  readonly repository: Repository;
  readonly branch: string;
  /** A commit. */
  readonly base: string;
  readonly baseBranch: string;
  readonly pushed: boolean;
  readonly author: GitPerson;
  /** `mark`: conflicts are committed with their marks, for somebody who resolves them next. Absent: nothing is changed then. */
  readonly onConflict?: 'mark';
};

/** Brings a branch up to date with its base, on request only. With a conflict everything stays as it was, and the files are named. */
export function updateBranch(request: UpdateRequest): Promise<Result<BranchUpdate>> {
  return withRepoLock(request.repository.gitFolder, async () => {
    const { repository, branch, base } = request;
    const before = await branchTip(repository, branch);
    if (before === null) return refuse('not_found', `There is no branch "${branch}" in ${repository.root}.`);
    if (await isAncestor(repository, base, before)) return done({ how: 'up to date', before, after: before });
    return inCheckout(request, before, (folder) =>
      request.pushed || request.onConflict === 'mark'
        ? mergeBase(request, { folder, before })
        : rebase(request, { folder, before }),
    );
  });
}

type Place = { readonly folder: string; readonly before: string };

async function rebase(request: UpdateRequest, { folder, before }: Place): Promise<Result<BranchUpdate>> {
  const options = { cwd: folder, author: request.author, committer: request.author };
  const { repository, baseBranch, base } = request;
  const dropped = await droppedBase({ repository, baseBranch, tip: base, head: before });
  const onto = dropped === null ? [base] : ['--onto', base, dropped];
  const rebased = await runGit(['rebase', '--quiet', '--no-autostash', ...onto], options);
  if (rebased.exitCode !== 0) {
    const listed = await git(['diff', '--name-only', '-z', '--diff-filter=U'], { cwd: folder });
    await git(['rebase', '--abort'], options);
    const conflicts = listed.ok ? listed.value.split('\0').filter((name) => name !== '') : [];
    return conflicts.length === 0
      ? refuse('unavailable', `The rebase could not be made: ${rebased.stderr.trim()}`)
      : conflicted(request, conflicts);
  }
  const after = await headOf(folder);
  return after.ok ? done({ how: 'rebased', before, after: after.value }) : after;
}

async function mergeBase(request: UpdateRequest, { folder, before }: Place): Promise<Result<BranchUpdate>> {
  const { repository, base, branch, baseBranch, author } = request;
  const began = await droppedBase({ repository, baseBranch, tip: base, head: before });
  const merged =
    began === null
      ? await mergeTrees(repository, before, base)
      : await mergeSince(repository, { began, onto: before, from: base, author });
  if (!merged.ok) return merged;
  const conflicts = merged.value.clean ? [] : merged.value.conflicts;
  if (conflicts.length > 0 && request.onConflict !== 'mark') return conflicted(request, conflicts);
  const message = `Merge ${baseBranch} into ${branch}${conflicts.length === 0 ? '' : `\n\nConflicts are marked in:\n${conflicts.join('\n')}`}`;
  const commit = await git(['commit-tree', merged.value.tree, '-p', before, '-p', base, '-m', message], {
    cwd: repository.root,
    author,
  });
  if (!commit.ok) return commit;
  const moved = await git(['reset', '--hard', '--quiet', commit.value], { cwd: folder });
  if (!moved.ok) return moved;
  return done({
    how: conflicts.length === 0 ? 'merged' : 'marked',
    before,
    after: commit.value,
    ...(conflicts.length === 0 ? {} : { conflicts }),
  });
}

function conflicted({ branch, baseBranch }: UpdateRequest, conflicts: ReadonlyArray<string>): Result<BranchUpdate> {
  return refuse(
    'conflict',
    `${branch} and ${baseBranch} changed the same lines in ${conflicts.join(', ')}: nothing was changed. Let an agent resolve it, or do it by hand.`,
    { conflicts },
  );
}

/** In the worktree that has the branch, if it is ours and clean; otherwise in a temporary one. */
async function inCheckout(
  { repository, branch }: UpdateRequest,
  before: string,
  work: (folder: string) => Promise<Result<BranchUpdate>>,
): Promise<Result<BranchUpdate>> {
  const [folder] = await checkoutsOf(repository, branch);
  if (folder === undefined) return inPrivateCheckout({ repository, branch }, before, work);
  if (!isOurWorktree(repository, folder))
    return refuse(
      'blocked',
      `${branch} is checked out in ${folder}, which is your checkout: bring it up to date there.`,
    );
  const dirty = await git(['status', '--porcelain', '--untracked-files=normal'], { cwd: folder });
  if (!dirty.ok) return dirty;
  if (dirty.value !== '') return refuse('blocked', `${folder} has uncommitted work: commit it first.`);
  return work(folder);
}

async function inPrivateCheckout(
  { repository, branch }: Pick<UpdateRequest, 'repository' | 'branch'>,
  before: string,
  work: (folder: string) => Promise<Result<BranchUpdate>>,
): Promise<Result<BranchUpdate>> {
  const parent = await mkdtemp(join(tmpdir(), 'attractor-update-'));
  const folder = join(parent, 'checkout');
  try {
    const made = await git(['worktree', 'add', '--quiet', '--detach', folder, before], { cwd: repository.root });
    if (!made.ok) return made;
    const updated = await work(folder);
    if (!updated.ok) return updated;
    const moved = await git(['update-ref', `refs/heads/${branch}`, updated.value.after, before], {
      cwd: repository.root,
    });
    return moved.ok ? updated : refuse('conflict', `${branch} moved meanwhile: look at it and try again.`);
  } finally {
    await git(['worktree', 'remove', '--force', folder], { cwd: repository.root });
    await rm(parent, { recursive: true, force: true });
  }
}
