import type { GitPerson } from '@attractor/git';
import { baseTip } from '../git/base-tip.ts';
import { fail, failForNow, type ScmResult } from '../git/outside-result.ts';
import { fetchLargeFiles, keepsLargeFiles } from '../git/large-files.ts';
import type { RemoteOptions } from '../git/person-git.ts';
import { pushCommit, type Remote } from '../git/remote.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import type { Repository } from '../git/repository.ts';
import { judgeLocalBase, LOST_RACE, moveLocalBase } from './local-base.ts';

/** Proves a commit before any branch has it, such as by the project's checks. A refusal leaves everything as it is. */
export type Prove = (made: { readonly commit: string; readonly base: string }) => Promise<ScmResult<null>>;

/**
 * One commit that shall go onto a base. `make` computes it from the base's tip and moves nothing; `find` tells what an earlier attempt put
 * there.
 */
export type Landing = {
  readonly repository: Repository;
  readonly remote: Remote | null;
  readonly talk: RemoteOptions;
  readonly baseBranch: string;
  /** `ours`: nobody else's work is on it, such as the branch of a task with phases. */
  readonly base: 'ours' | 'theirs';
  readonly author: GitPerson;
  readonly make: (tip: string) => Promise<ScmResult<string>>;
  readonly find: (tip: string) => Promise<string | null>;
  readonly prove: Prove;
};

/** `before`: the base's tip under it; null if it was there already. `notice`: why the branch here does not have it. */
export type Landed = { readonly commit: string; readonly before: string | null; readonly notice: string | null };

const MAX_RACES = 4;

/**
 * Puts a commit onto a base: at the remote if there is one, and on the branch here with its checkouts. Whether all of that can go forward
 * is judged first; otherwise nothing is done. Never forced: after losing a race for the base it looks again. Repeated after a crash it
 * finds what it put there and finishes the rest.
 */
export async function land(landing: Landing): Promise<ScmResult<Landed>> {
  const { repository } = landing;
  const proven = new Set<string>();
  for (let race = 0; race < MAX_RACES; race += 1) {
    const made = await withRepoLock(repository.gitFolder, () => rehearse(landing));
    if (!made.ok) return made;
    const { commit, before } = made.value;
    if (before === null) return withRepoLock(repository.gitFolder, () => finish(landing, commit));
    // The proof may take minutes, in which nobody else is kept from the repository.
    const judged = proven.has(commit) ? PROVEN : await landing.prove({ commit, base: before });
    if (!judged.ok) return judged;
    proven.add(commit);
    const landed = await withRepoLock(repository.gitFolder, () => publish(landing, { commit, before }));
    const lostRace = !landed.ok && landed.error.detail === LOST_RACE;
    if (!lostRace) return landed;
  }
  return failForNow(`${landing.baseBranch} keeps moving: the merge will be retried later.`);
}

const PROVEN = { ok: true, value: null } as const;

/** Everything but the move: the commit, and whether base and checkouts could take it. Changes nothing. */
export async function rehearse(landing: Landing): Promise<ScmResult<Landed>> {
  const tip = await tipOf(landing);
  if (!tip.ok) return tip;
  const known = await landing.find(tip.value);
  if (known !== null) return { ok: true, value: { commit: known, before: null, notice: null } };
  const commit = await landing.make(tip.value);
  if (!commit.ok) return commit;
  const judged = await judgeLocalBase(localBase(landing, commit.value));
  return judged.ok ? { ok: true, value: { commit: commit.value, before: tip.value, notice: null } } : judged;
}

/** The base has it since an earlier attempt; the branch here may not. */
async function finish(landing: Landing, commit: string): Promise<ScmResult<Landed>> {
  const tip = await tipOf(landing);
  if (!tip.ok) return tip;
  return { ok: true, value: { commit, before: null, notice: await follow(landing, tip.value) } };
}

function tipOf({ baseBranch, base, ...landing }: Landing): Promise<ScmResult<string>> {
  return baseTip({ ...landing, branch: baseBranch, owner: base });
}

function localBase({ repository, baseBranch }: Landing, commit: string) {
  return { repository, branch: baseBranch, commit };
}

async function publish(
  landing: Landing,
  { commit, before }: { readonly commit: string; readonly before: string },
): Promise<ScmResult<Landed>> {
  const { repository, remote, talk, baseBranch } = landing;
  const tip = await tipOf(landing);
  if (!tip.ok) return tip;
  if (tip.value !== before) return fail('conflict', `${baseBranch} moved meanwhile.`, LOST_RACE);
  const local = localBase(landing, commit);
  if (remote !== null) {
    const judged = await judgeLocalBase(local);
    if (!judged.ok) return judged;
    const pushed = await pushCommit({ repository, remote, branch: baseBranch, talk }, commit);
    if (!pushed.ok)
      return pushed.error.code === 'conflict' ? fail('conflict', pushed.error.message, LOST_RACE) : pushed;
    return { ok: true, value: { commit, before, notice: await follow(landing, commit) } };
  }
  const moved = await moveLocalBase(local);
  return moved.ok ? { ok: true, value: { commit, before, notice: null } } : moved;
}

/** The branch here follows what the remote has. Null if it does; otherwise what is left to the person. */
export async function follow(
  landing: Pick<Landing, 'repository' | 'remote' | 'talk' | 'baseBranch'>,
  commit: string,
): Promise<string | null> {
  const { repository, remote, talk, baseBranch } = landing;
  // Made on another machine, perhaps. Where it can't be had, a checkout gets pointers.
  if (remote !== null && keepsLargeFiles(repository)) await fetchLargeFiles({ repository, remote, talk }, [commit]);
  const moved = await moveLocalBase({ repository, branch: baseBranch, commit });
  if (moved.ok) return null;
  const from = remote === null ? commit.slice(0, 12) : `${remote.name} ${baseBranch}`;
  return `${moved.error.message} ${remote?.name ?? 'The repository'} has it; run "git ${remote === null ? 'merge' : 'pull'} --ff-only ${from}" there to have it as well.`;
}
