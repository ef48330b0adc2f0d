import { defined } from '@attractor/base';
import {
  type Artifact,
  type EffectWork,
  findArtifact,
  type MergeMethod,
  type Tx,
  updateArtifact,
} from '@attractor/store';
import { branchTip, commitOf } from '../git/commits.ts';
import { fail, type ScmResult } from '../git/outside-result.ts';
import { deleteRemoteBranch, fetchBranch } from '../git/remote.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { follow } from '../landing/land.ts';
import { rehearseMerge } from '../landing/rehearse-merge.ts';
import { proveSubmodules } from '../submodules/hand-over.ts';
import { openScm } from '../scm/open-scm.ts';
import { ownCommits } from '../scm/own-commits.ts';
import { metadataOf, pullRequestOf } from '../scm/pull-request-artifact.ts';
import { isOpen, type MergedPullRequest, type MergeRequest, type Scm } from '../scm/scm.ts';
import { type EffectContext, failed, nothingToDo, type Performed, tell } from './performed.ts';

type Merge = Extract<EffectWork, { readonly kind: 'merge_pr' }>;

/** Merges a pull request where it lives. The branch here goes forward with it, or nothing is done. */
export async function performMerge(context: EffectContext, work: Merge): Promise<Performed> {
  const { services, git } = context;
  const artifact = await findArtifact(services.store.read, work.artifactId);
  const known = artifact === null ? null : pullRequestOf(artifact);
  if (artifact === null || known === null)
    return failed(fail('not_found', 'The number of the pull request is not known: merge it on the forge.'));
  if (artifact.metadata['state'] === 'merged') return nothingToDo();
  const headCommit = work.headCommit ?? known.headCommit ?? (await branchTip(git.repository, known.headBranch));
  if (headCommit === null || (known.scm === 'local' && (await commitOf(git.repository, headCommit)) === null))
    return { outcome: 'elsewhere', reason: `The head of ${known.headBranch} is not in ${git.repository.root}.` };
  const scm = await openScm(services, git, known.scm);
  if (!scm.ok) return failed(scm);
  const own = await ownCommits(services.store.read, context.task.id);
  const request = { ...requestOf(context, { ...known, artifact, work, headCommit }), own };
  const merged =
    known.scm === 'gh'
      ? await mergeAtForge(context, scm.value, { ...known, ...request })
      : await scm.value.mergePR(request);
  if (!merged.ok) return failed(merged);
  await tidyRemote(context, { branch: known.headBranch, headCommit });
  const { mergeCommit, notice } = merged.value;
  return {
    outcome: 'done',
    result: { mergeCommit, notice, method: request.method },
    record: (tx) =>
      recordMerged(tx, context, {
        artifactId: artifact.id,
        merged: merged.value,
        method: mergeCommit === headCommit ? 'ff' : request.method,
        scm: known.scm,
      }),
  };
}

type Wanted = {
  readonly artifact: Artifact;
  readonly work: Merge;
  readonly number: number;
  readonly headBranch: string;
  readonly headCommit: string;
};

function requestOf(context: EffectContext, { artifact, work, number, headBranch, headCommit }: Wanted): MergeRequest {
  const { task, project } = context;
  const isPhase = artifact.phaseId !== null;
  return {
    number,
    headCommit,
    taskKey: task.key,
    message: `${task.title} (#${number})\n\nAttractor-Task: ${task.id}`,
    base: isPhase ? 'ours' : 'theirs',
    method: work.method ?? (isPhase ? 'squash' : (project.config.git?.mergeMethod ?? 'squash')),
    // The parts of a task are proven when the whole of it is merged.
    prove: async (made) => {
      const submodules = await proveSubmodules(context.git, { ...made, branch: headBranch });
      return !submodules.ok || isPhase ? submodules : context.prove({ ...context, ...made, headCommit });
    },
  };
}

const NOTHING = { ok: true, value: null } as const;

type AtForge = MergeRequest & { readonly headBranch: string; readonly baseBranch: string };

/** The forge merges. What we know is asked first: conflicts, checks, and whether the branch here can follow. */
async function mergeAtForge(context: EffectContext, scm: Scm, request: AtForge): Promise<ScmResult<MergedPullRequest>> {
  const { git, services } = context;
  const { repository, remote, talk } = git;
  const { headCommit, baseBranch } = request;
  const now = await scm.getPR(request.number);
  if (!now.ok) return now;
  const isHere = (await commitOf(repository, headCommit)) !== null;
  if (isOpen(now.value) && isHere) {
    // GitHub has methods of its own; what they give is the same tree.
    const made = await rehearseMerge({ ...git, ...request, author: services.author, method: 'squash' });
    if (!made.ok) return made;
    const { commit, before } = made.value;
    const proven = before === null ? NOTHING : await request.prove({ commit, base: before });
    if (!proven.ok) return proven;
  }
  const merged = await scm.mergePR(request);
  if (!merged.ok || remote === null) return merged;
  const there = await fetchBranch({ repository, remote, branch: baseBranch, talk });
  if (!there.ok || there.value === null) return merged;
  const tip = there.value;
  const notice = await withRepoLock(repository.gitFolder, () => follow({ ...git, baseBranch }, tip));
  return { ok: true, value: { ...merged.value, notice } };
}

/** Merged work needs no branch at the remote any more. Its commits stay here; if the deletion is refused, the branch stays too. */
async function tidyRemote(
  { git }: EffectContext,
  head: { readonly branch: string; readonly headCommit: string },
): Promise<void> {
  const { repository, remote, talk } = git;
  if (remote !== null) await deleteRemoteBranch({ repository, remote, branch: head.branch, talk }, head.headCommit);
}

type Merged = {
  readonly artifactId: string;
  readonly merged: MergedPullRequest;
  readonly method: MergeMethod;
  readonly scm: Scm['type'];
};

async function recordMerged(
  tx: Tx,
  context: EffectContext,
  { artifactId, merged, method, scm }: Merged,
): Promise<void> {
  const known = await findArtifact(tx, artifactId);
  if (known === null) return;
  const { mergeCommit, baseBranch, baseCommit, notice } = merged;
  const facts = {
    mergeMethod: method,
    ...defined({ baseCommit: baseCommit ?? undefined, mergeNotice: notice ?? undefined }),
  };
  const artifact = { ...known, metadata: { ...known.metadata, ...metadataOf(merged, scm), ...facts } };
  await updateArtifact(tx, artifact);
  const at = mergeCommit === null ? '' : ` as ${mergeCommit.slice(0, 12)}`;
  await tell(tx, context, {
    type: 'pr.merged',
    summary: `Merged ${known.label} into ${baseBranch}${at}${notice === null ? '' : `. ${notice}`}`,
    data: { artifact, notice, mergeCommit, baseBranch, method },
  });
}
