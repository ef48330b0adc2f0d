import { defined, done } from '@attractor/base';
import { readFacts, readOptions } from '@attractor/pipeline';
import {
  branchTip,
  isOpenRequest,
  type OfTask,
  ownCommits,
  type ProjectGit,
  rehearseMerge,
  type TaskPlace,
} from '@attractor/repository';
import {
  type Actor,
  type Artifact,
  type Effect,
  type EffectWork,
  findArtifact,
  listEffects,
  listPrompts,
  type MergeMethod,
  type Prompt,
  type PromptOf,
  refuse,
  type Result,
} from '@attractor/store';
import { isAccepting } from '../tasks/accepting.ts';
import { findTaskAndPipeline } from '../tasks/tasks.ts';
import type { OfMerge } from './contract.ts';
import { onPlace, putAndSettle, refusalOf, type ScmOptions } from './on-place.ts';
import { openPullRequest } from './open-pull-request.ts';
import { refuseAtWork } from '../tasks/at-work.ts';

/** Merges approved work. What is not approved yet is not merged: approving and merging can be one act. */
export function mergePullRequest(
  options: ScmOptions,
  { method, ...of }: OfMerge,
  actor: Actor,
): Promise<Result<Artifact>> {
  return onPlace(options, of, async (git, at) => {
    const place = await withRequest(options, at, actor);
    if (!place.ok) return place;
    const found = await findMergeable(options, place.value);
    if (!found.ok || found.value.metadata['state'] === 'merged') return found;
    const effect = await mergeEffect(git, place.value, { request: found.value, method });
    const unapproved = at.phase === null ? await missingApproval(options, at, effect) : null;
    if (unapproved !== null) return unapproved;
    return settleMerge(options, place.value, { effect, actor });
  });
}

/** Work that no run finished has no pull request: one is made when a person who accepted it has it merged. */
async function withRequest(options: ScmOptions, place: TaskPlace, actor: Actor): Promise<Result<TaskPlace>> {
  const { task, pullRequest, phase } = place;
  if (pullRequest !== null || phase !== null) return done(place);
  const { read } = options.store;
  const refusal = (await refuseAtWork(read, task.id)) ?? (await missingApproval(options, place, null));
  if (refusal !== null) return refusal;
  const opened = await openPullRequest(options, { taskId: task.id }, actor);
  return opened.ok ? done({ ...place, pullRequest: opened.value }) : opened;
}

/** Takes back what was merged. Asked again, it answers what was made. */
export function revertMerge(options: ScmOptions, of: OfTask, actor: Actor): Promise<Result<Artifact>> {
  return onPlace(options, of, async (_git, place) => {
    const { pullRequest } = place;
    if (pullRequest?.metadata['state'] !== 'merged')
      return refuse('blocked', 'The task is not merged: there is nothing to revert.');
    const effect = {
      key: `revert:${pullRequest.id}`,
      work: { kind: 'revert_merge', artifactId: pullRequest.id } as const,
    };
    return settleMerge(options, place, { effect, actor });
  });
}

export type MergeEffect = {
  readonly key: string;
  readonly work: Extract<EffectWork, { readonly kind: 'merge_pr' }>;
};

/** Waits for the merge, and answers with the pull request as it is then. */
export async function settleMerge(
  options: ScmOptions,
  place: TaskPlace,
  { effect, actor }: { readonly effect: Pick<Effect, 'key'> & { readonly work: EffectWork }; readonly actor: Actor },
): Promise<Result<Artifact>> {
  const ended = await putAndSettle(options, place, { actor, effects: [effect] });
  const refusal = refusalOf(ended);
  if (refusal !== null) return refusal;
  const merged = await findArtifact(options.store.read, place.pullRequest?.id ?? '');
  return merged === null ? refuse('not_found', 'The pull request is gone.') : done(merged);
}

/** The pull request that can be merged now, or was. */
export async function findMergeable(
  { store }: ScmOptions,
  { pullRequest, task }: TaskPlace,
): Promise<Result<Artifact>> {
  if (pullRequest === null)
    return refuse('not_found', 'The task has no pull request: let an agent finish the work first.');
  if (pullRequest.metadata['state'] === 'merged') return done(pullRequest);
  if (!isOpenRequest(pullRequest))
    return refuse('conflict', `${pullRequest.label} is closed: open it again, or make another one.`);
  return (await refuseAtWork(store.read, task.id)) ?? done(pullRequest);
}

export async function mergeEffect(
  { repository }: ProjectGit,
  { branch }: TaskPlace,
  { request, method }: { readonly request: Artifact; readonly method: MergeMethod | undefined },
): Promise<MergeEffect> {
  const headCommit = await branchTip(repository, branch);
  const work = { kind: 'merge_pr', artifactId: request.id, headCommit, ...defined({ method }) } as const;
  return { key: `merge:${request.id}`, work };
}

/** Says before anything is done what would keep the merge from being made. */
export async function judgeMerge(
  options: ScmOptions,
  git: ProjectGit,
  { place, method }: { readonly place: TaskPlace; readonly method: MergeMethod | undefined },
): Promise<Result<null>> {
  const { branch, baseBranch, project, task } = place;
  const headCommit = await branchTip(git.repository, branch);
  if (headCommit === null) return done(null);
  const rehearsed = await rehearseMerge({
    ...git,
    author: options.author,
    taskKey: task.key,
    headBranch: branch,
    headCommit,
    baseBranch,
    base: 'theirs',
    own: await ownCommits(options.store.read, task.id),
    method: method ?? project.config.git?.mergeMethod ?? 'squash',
  });
  return rehearsed.ok ? done(null) : rehearsed;
}

/** A question whether the work is good, other than one about its parts. */
export function isReviewOfWork(prompt: Prompt): prompt is PromptOf<'review'> {
  return prompt.type === 'review' && prompt.payload.proposedPhases === undefined;
}

/** Null if the work may be merged; a merge that was decided before may be made again, unless other work is on the branch by now. */
async function missingApproval(
  { store }: ScmOptions,
  { task }: TaskPlace,
  effect: MergeEffect | null,
): Promise<ReturnType<typeof refuse> | null> {
  const { read } = store;
  const found = await findTaskAndPipeline(read, task.id);
  if (!found.ok) return found;
  const { pipeline } = found.value;
  if (pipeline.terminalStatuses.includes(task.status)) return null;
  const decided = (await listEffects(read, task.id)).find(({ key }) => key === effect?.key)?.work;
  if (decided?.kind === 'merge_pr' && decided.headCommit === effect?.work.headCommit) return null;
  const asked = (await listPrompts(read, { taskId: task.id, status: 'pending' })).find(isReviewOfWork);
  const { review } = await readFacts(read, task, { guards: new Set(['review_approved']) });
  const options = await readOptions(read, task, { pipeline, trigger: { type: 'manual' } });
  const canBeAccepted = options.some(({ transition }) => isAccepting(transition.to, pipeline));
  const status = pipeline.statuses.find(({ id }) => id === task.status);
  const isAtReview = status?.category === 'review' && canBeAccepted;
  if (asked === undefined && !isAtReview && review === 'approved') return null;
  const why =
    review === 'changes_requested' && asked === undefined ? 'Changes were asked for' : 'The work is not approved yet';
  if (asked === undefined && !canBeAccepted)
    return refuse(
      'blocked',
      `${why}, and in "${task.status}" it can't be merged: take one of the next steps first ("attractor tasks get ${task.key}").`,
    );
  return refuse(
    'blocked',
    `${why}: look at it ("attractor tasks diff ${task.key}"), then approve and merge it with "attractor tasks approve ${task.key} --merge".`,
    { promptId: asked?.id ?? null },
  );
}
