import { runGit } from '@attractor/git';
import { branchTip, checkoutsOf, commitOf, isAncestor } from '../git/commits.ts';
import { openScm } from '../scm/open-scm.ts';
import { deleteRemoteBranch, fetchBranch } from '../git/remote.ts';
import { metadataOf, pullRequestOf } from '../scm/pull-request-artifact.ts';
import type { MergedPullRequest, PullRequest, Scm } from '../scm/scm.ts';
import {
  addArtifact,
  type EffectWork,
  findArtifact,
  findArtifactByKey,
  findEffect,
  idOf,
  type Tx,
  updateArtifact,
} from '@attractor/store';
import { type EffectContext, failed, nothingToDo, type Performed, tell } from './performed.ts';
import { fail } from '../git/outside-result.ts';

type Work<Kind extends EffectWork['kind']> = Extract<EffectWork, { readonly kind: Kind }>;

export async function performCreatePr(context: EffectContext, work: Work<'create_pr'>): Promise<Performed> {
  const { repository } = context.git;
  const tip = await branchTip(repository, work.headBranch);
  if (tip === null)
    return { outcome: 'elsewhere', reason: `There is no branch ${work.headBranch} in ${repository.root}.` };
  const scm = await openScm(context.services, context.git);
  if (!scm.ok) return failed(scm);
  const unpushed = scm.value.type === 'gh' ? await failureBefore(context) : null;
  if (unpushed !== null) return failed(fail('blocked', `The branch was not pushed: ${unpushed}`));
  const created = await scm.value.createPR(work);
  if (!created.ok) return failed(created);
  const request = { ...created.value, headCommit: created.value.headCommit ?? tip };
  return {
    outcome: 'done',
    result: { number: request.number, url: request.url },
    record: (tx) => recordCreated(tx, context, { request, scm: scm.value.type, phaseId: work.phaseId }),
  };
}

async function failureBefore({ services, effect }: EffectContext): Promise<string | null> {
  const before = effect.needs === null ? null : await findEffect(services.store.read, effect.needs);
  return before?.state === 'failed' ? (before.error ?? '') : null;
}

type Created = { readonly request: PullRequest; readonly scm: Scm['type']; readonly phaseId: string | null };

async function recordCreated(tx: Tx, context: EffectContext, { request, scm, phaseId }: Created): Promise<void> {
  const { taskId, runId } = context.effect;
  const key = `pull_request:${scm}:${request.number}`;
  const label = `#${request.number} ${request.title}`;
  const metadata = metadataOf(request, scm);
  const added = await addArtifact(tx, {
    taskId: context.task.id,
    runId: runId === null ? null : idOf('run', runId),
    key,
    type: 'pull_request',
    label,
    url: request.url,
    metadata,
    phaseId,
    createdBy: 'system',
  });
  if (added !== null)
    return tell(tx, context, { type: 'pr.created', summary: `pull_request: ${label}`, data: { artifact: added } });
  const known = await findArtifactByKey(tx, taskId, key);
  if (known === null) return;
  const artifact = { ...known, label, metadata: { ...known.metadata, ...metadata } };
  await updateArtifact(tx, artifact);
  await tell(tx, context, { type: 'artifact.updated', summary: `pull_request: ${label}`, data: { artifact } });
}

export async function performMerge(context: EffectContext, work: Work<'merge_pr'>): Promise<Performed> {
  const { services, git, task } = context;
  const artifact = await findArtifact(services.store.read, work.artifactId);
  const known = artifact === null ? null : pullRequestOf(artifact);
  if (artifact === null || known === null)
    return failed(fail('not_found', 'The pull request to merge is not known by number: merge it where it lives.'));
  if (artifact.metadata['state'] === 'merged') return nothingToDo();
  const headCommit = work.headCommit ?? known.headCommit ?? (await branchTip(git.repository, known.headBranch));
  if (headCommit === null || (known.scm === 'local' && (await commitOf(git.repository, headCommit)) === null))
    return { outcome: 'elsewhere', reason: `The head of ${known.headBranch} is not in ${git.repository.root}.` };
  const scm = await openScm(services, git, known.scm);
  if (!scm.ok) return failed(scm);
  const message = `${task.title} (#${known.number})\n\nAttractor-Task: ${task.id}`;
  const base = artifact.phaseId === null ? 'theirs' : 'ours';
  const merged = await scm.value.mergePR({ number: known.number, headCommit, message, base });
  if (!merged.ok) return failed(merged);
  if (base === 'ours') await followBase(context, known.baseBranch);
  await tidyRemote(context, { branch: known.headBranch, headCommit });
  return {
    outcome: 'done',
    result: { mergeCommit: merged.value.mergeCommit, notice: merged.value.notice },
    record: (tx) => recordMerged(tx, context, { artifactId: artifact.id, merged: merged.value, scm: known.scm }),
  };
}

/** One of our branches that was merged into elsewhere: the next phase starts from there. */
async function followBase({ git }: EffectContext, branch: string): Promise<void> {
  const { repository, remote, talk } = git;
  const there = remote === null ? null : await fetchBranch({ repository, remote, branch, talk });
  const here = await branchTip(repository, branch);
  if (there?.ok !== true || there.value === null || here === null || here === there.value) return;
  const behind = await isAncestor(repository, here, there.value);
  if (behind && (await checkoutsOf(repository, branch)).length === 0)
    await runGit(['update-ref', `refs/heads/${branch}`, there.value, here], { cwd: repository.root });
}

/** Merged work needs no branch at the remote any more. Its commits stay here; if the deletion is refused, the branch stays too. */
async function tidyRemote(
  { git }: EffectContext,
  head: { readonly branch: string; readonly headCommit: string },
): Promise<void> {
  const { repository, remote, talk } = git;
  if (remote !== null) await deleteRemoteBranch({ repository, remote, branch: head.branch, talk }, head.headCommit);
}

type Merged = { readonly artifactId: string; readonly merged: MergedPullRequest; readonly scm: Scm['type'] };

async function recordMerged(tx: Tx, context: EffectContext, { artifactId, merged, scm }: Merged): Promise<void> {
  const known = await findArtifact(tx, artifactId);
  if (known === null) return;
  const artifact = { ...known, metadata: { ...known.metadata, ...metadataOf(merged, scm) } };
  await updateArtifact(tx, artifact);
  const at = merged.mergeCommit === null ? '' : ` as ${merged.mergeCommit.slice(0, 12)}`;
  await tell(tx, context, {
    type: 'pr.merged',
    summary: `Merged ${known.label} into ${merged.baseBranch}${at}${merged.notice === null ? '' : `. ${merged.notice}`}`,
    data: { artifact, notice: merged.notice },
  });
}

export async function performComment(context: EffectContext, work: Work<'comment_pr'>): Promise<Performed> {
  const { services, git } = context;
  const artifact = await findArtifact(services.store.read, work.artifactId);
  const known = artifact === null ? null : pullRequestOf(artifact);
  if (known === null) return nothingToDo();
  const scm = await openScm(services, git, known.scm);
  if (!scm.ok) return failed(scm);
  const said = await scm.value.commentPR({ number: known.number, key: work.commentKey, body: work.body });
  if (!said.ok) return failed(said);
  return {
    outcome: 'done',
    result: {},
    record: (tx) =>
      tell(tx, context, {
        type: 'pr.commented',
        summary: `Commented on #${known.number}`,
        data: { number: known.number },
      }),
  };
}
