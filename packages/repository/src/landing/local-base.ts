import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { branchTip, mergeBaseOf, countApart } from '../git/commits.ts';
import { fail, failForNow, type ScmResult } from '../git/outside-result.ts';
import { git, type Repository } from '../git/repository.ts';
import { isOurWorktree } from '../git/worktrees-folder.ts';
import { type Checkout, readCheckouts } from './checkouts.ts';
import { type Comparison, followStep, lookAtCheckout } from './follow-checkout.ts';

/** The branch of this repository that shall have a commit. */
export type LocalBase = { readonly repository: Repository; readonly branch: string; readonly commit: string };

/**
 * Whether the branch here can go forward to the commit, with every checkout that has it. Changes nothing; called before anything is done
 * anywhere. A branch that is not here has nothing to follow.
 */
export async function judgeLocalBase(base: LocalBase): Promise<ScmResult<null>> {
  const way = await wayForward(base);
  return way.ok ? DONE : way;
}

/** Where the branch is now, and the checkouts that go with it as they were seen; null if it need not move. */
type Way = { readonly here: string; readonly checkouts: ReadonlyArray<Follower> } | null;
type Follower = { readonly checkout: Checkout; readonly seen: Comparison };

async function wayForward({ repository, branch, commit }: LocalBase): Promise<ScmResult<Way>> {
  const here = await branchTip(repository, branch);
  const shared = here === null || here === commit ? commit : await mergeBaseOf(repository, here, commit);
  if (here === null || shared === commit) return DONE;
  if (shared !== here) {
    const apart = await countApart(repository, { base: commit, head: here });
    const own = apart.ok
      ? `${apart.value.ahead} commit${apart.value.ahead === 1 ? '' : 's'} of its own`
      : 'other commits';
    return fail(
      'conflict',
      `${branch} in ${repository.root} has ${own}: nothing was changed. Bring the two together first.`,
    );
  }
  const lock = join(repository.gitFolder, 'refs', 'heads', `${branch}.lock`);
  if (existsSync(lock))
    return failForNow(`Another git is moving ${branch}, or was killed doing so: if none is running, remove ${lock}.`);
  const checkouts: Follower[] = [];
  for (const checkout of await readCheckouts(repository, branch)) {
    const look = await lookAtCheckout(checkout, { from: here, to: commit });
    if ('seen' in look) {
      checkouts.push({ checkout, seen: look.seen });
      continue;
    }
    const { obstacle } = look;
    const text = `${branch} is checked out: ${obstacle.message} Nothing was changed.`;
    if (obstacle.passes || isOurWorktree(repository, checkout.folder)) return failForNow(text);
    const { uncommitted } = obstacle;
    return uncommitted === undefined ? fail('blocked', text) : fail('blocked', text, { uncommitted });
  }
  return { ok: true, value: { here, checkouts } };
}

/** Moves the branch and its checkouts forward, never back and never by force. Repeated after a crash it finishes what it began. */
export async function moveLocalBase(base: LocalBase): Promise<ScmResult<null>> {
  const { repository, branch, commit } = base;
  const way = await wayForward(base);
  if (!way.ok || way.value === null) return way.ok ? DONE : way;
  const { here, checkouts } = way.value;
  const moved: Checkout[] = [];
  const takeBack = async (): Promise<void> => {
    for (const checkout of moved) await followStep(checkout, { from: commit, to: here });
  };
  for (const { checkout, seen } of checkouts) {
    moved.push(checkout);
    const followed = await followStep(checkout, { from: here, to: commit }, seen);
    if (followed.ok) continue;
    await takeBack();
    return failForNow(`${checkout.folder} could not follow ${branch}: ${followed.error.message}`);
  }
  const args = ['update-ref', '-m', 'attractor: merge', `refs/heads/${branch}`, commit, here];
  const set = await git(args, { cwd: repository.root });
  if (set.ok) return DONE;
  await takeBack();
  return fail('conflict', `${branch} could not be moved: ${set.error.message}`, LOST_RACE);
}

/** Somebody else moved the base meanwhile: the merge is made again on what is there now. */
export const LOST_RACE = 'lost race';

const DONE = { ok: true, value: null } as const;
