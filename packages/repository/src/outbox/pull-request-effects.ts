import { branchTip } from '../git/commits.ts';
import { fetchBranch } from '../git/remote.ts';
import { git } from '../git/repository.ts';
import { openScm } from '../scm/open-scm.ts';
import { metadataOf, pullRequestOf } from '../scm/pull-request-artifact.ts';
import type { PullRequest, Scm } from '../scm/scm.ts';
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
  const tip = (await branchTip(repository, work.headBranch)) ?? (await pushedTip(context, work.headBranch));
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

/** A branch that another machine pushed becomes one of this repository. */
async function pushedTip(
  { services, git: { repository, remote, talk } }: EffectContext,
  branch: string,
): Promise<string | null> {
  if (services.store.dialect !== 'postgres' || remote === null) return null;
  const there = await fetchBranch({ repository, remote, branch, talk });
  if (!there.ok || there.value === null) return null;
  const made = await git(['update-ref', `refs/heads/${branch}`, there.value, ''], { cwd: repository.root });
  return made.ok ? there.value : null;
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
