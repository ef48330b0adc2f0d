import { defined, done } from '@attractor/base';
import { moveTo, readOptions } from '@attractor/pipeline';
import type { ProjectGit, TaskPlace } from '@attractor/repository';
import {
  type Actor,
  type Artifact,
  listPrompts,
  type Prompt,
  putEffect,
  refuse,
  type Result,
  type Task,
  type Tx,
} from '@attractor/store';
import { judgeMove } from '../tasks/another-person.ts';
import { answerIn } from '../prompts/prompts.ts';
import { isAccepting } from '../tasks/accepting.ts';
import { findTaskAndPipeline } from '../tasks/tasks.ts';
import type { Approval, Approved } from './contract.ts';
import { findMergeable, isReviewOfWork, judgeMerge, mergeEffect, settleMerge } from './merge.ts';
import { onPlace, type ScmOptions } from './on-place.ts';
import { refuseChangedWork } from './shown-work.ts';

/**
 * Accepts the work of a task: answers its review, or takes the pipeline's way to its end. With `merge` that and the decision to merge are
 * one transaction; what would keep the merge from being made is found out first, and then nothing is done.
 */
export async function approve(options: ScmOptions, input: Approval, actor: Actor): Promise<Result<Approved>> {
  const prompts = await listPrompts(options.store.read, { taskId: input.taskId, status: 'pending' });
  const shown = prompts.find(isReviewOfWork);
  const judge = async (): Promise<Result<never> | null> =>
    shown === undefined ? null : refuseChangedWork(options, shown, actor);
  const changed = await judge();
  if (changed !== null) return changed;
  if (input.merge === true && shown?.payload.part === true) return refuse('blocked', ONLY_A_PART);
  if (input.merge !== true) {
    const accepted = await options.store.transact((tx) => accept(tx, input, { actor, ...options }));
    return accepted.ok ? done({ task: accepted.value, pullRequest: null }) : accepted;
  }
  return onPlace(options, { taskId: input.taskId }, (git, place) =>
    approveAndMerge(options, input, { actor, git, place, judge }),
  );
}

const ONLY_A_PART = 'Only a part of the work waits for review: approve it without merging, then the next part begins.';

type By = { readonly actor: Actor; readonly defaultAgentType: string };
type Here = {
  readonly actor: Actor;
  readonly git: ProjectGit;
  readonly place: TaskPlace;
  /** Whether the branch still has the work that was shown. */
  readonly judge: () => Promise<Result<never> | null>;
};

async function approveAndMerge(
  options: ScmOptions,
  input: Approval,
  { actor, git, place, judge }: Here,
): Promise<Result<Approved>> {
  const request = await findMergeable(options, place);
  if (!request.ok) return request;
  if (request.value.metadata['state'] === 'merged')
    return acceptMerged(options, input, { actor, merged: request.value });
  const possible = await judgeMerge(options, git, { place, method: input.method });
  if (!possible.ok) return possible;
  const effect = await mergeEffect(git, place, { request: request.value, method: input.method });
  // The head that is merged was read just now, and finding out took a while.
  const changed = await judge();
  if (changed !== null) return changed;
  const { projectId } = place.task;
  const accepted = await options.store.transact(async (tx) => {
    const moved = await accept(tx, input, { actor, ...options });
    if (moved.ok) await putEffect(tx, { projectId, taskId: input.taskId, ...effect, actor });
    return moved;
  });
  if (!accepted.ok) return accepted;
  const merged = await settleMerge(options, place, { effect, actor });
  return merged.ok
    ? done({ task: accepted.value, pullRequest: merged.value })
    : notMerged(merged.error, accepted.value.key);
}

/** It was merged before, perhaps by somebody else. */
async function acceptMerged(
  options: ScmOptions,
  input: Approval,
  { actor, merged }: { readonly actor: Actor; readonly merged: Artifact },
): Promise<Result<Approved>> {
  const accepted = await options.store.transact((tx) => accept(tx, input, { actor, ...options }));
  return accepted.ok ? done({ task: accepted.value, pullRequest: merged }) : accepted;
}

function notMerged(error: { readonly message: string; readonly detail?: unknown }, taskKey: string): Result<never> {
  return refuse(
    'blocked',
    `It is approved, but not merged: ${error.message}\nOnce that is fixed: attractor tasks merge ${taskKey}`,
    error.detail,
  );
}

/** The answer to the review that waits; otherwise the way to the pipeline's end. Accepted work stays accepted. */
async function accept(tx: Tx, input: Approval, by: By): Promise<Result<Task>> {
  const found = await findTaskAndPipeline(tx, input.taskId);
  if (!found.ok) return found;
  const { task, pipeline } = found.value;
  const asked = (await listPrompts(tx, { taskId: task.id, status: 'pending' })).find(isReviewOfWork);
  if (asked !== undefined) return answerReview(tx, { prompt: asked, input }, by);
  if (isAccepting(task.status, pipeline)) return done(task);
  const trigger = { type: 'manual' } as const;
  const ways = (await readOptions(tx, task, { pipeline, trigger })).filter(({ transition }) =>
    isAccepting(transition.to, pipeline),
  );
  const way = ways.find(({ allowed }) => allowed) ?? ways[0];
  if (way === undefined)
    return refuse(
      'blocked',
      `There is nothing to approve: the task is in "${task.status}". See "attractor tasks get ${task.key}".`,
    );
  const refused = await judgeMove(tx, { task, pipeline, to: way.transition.to }, by.actor);
  if (refused !== null) return refused;
  const cause = { trigger, reason: input.message ?? 'approve', actor: by.actor, defaultAgentType: by.defaultAgentType };
  return moveTo(tx, { task, pipeline, to: way.transition.to }, cause);
}

type Review = { readonly prompt: Prompt; readonly input: Approval };

async function answerReview(tx: Tx, { prompt, input }: Review, by: By): Promise<Result<Task>> {
  const { contentHash, message } = input;
  const answer = { decision: 'approve', ...defined({ message }) } as const;
  const answered = await answerIn(tx, { promptId: prompt.id, ...defined({ contentHash }), answer }, by);
  if (!answered.ok) return answered;
  const found = await findTaskAndPipeline(tx, input.taskId);
  return found.ok ? done(found.value.task) : found;
}
