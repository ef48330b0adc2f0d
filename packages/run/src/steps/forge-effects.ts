import { stageOf } from '@attractor/pipeline';
import { type Change, findRemote, isOpenRequest, pullRequestText, reviewText } from '@attractor/repository';
import {
  type Criterion,
  type EffectWork,
  findTask,
  listArtifacts,
  type JudgedPlan,
  lastJudgedPlan,
  listCriteria,
  type NewEffect,
} from '@attractor/store';
import { resultOf, type RunContext } from '../run-context/run-context.ts';

/** The effects of finished work: a push if there is a remote, and a pull request if it is ready for review. */
export async function changeEffects(context: RunContext, change: Change): Promise<ReadonlyArray<NewEffect>> {
  const { run } = context.state;
  const { repository } = resultOf(context, 'prepare');
  const { outcome } = resultOf(context, 'validate');
  const { autoPush } = resultOf(context, 'configure').config;
  if (change.commits.length === 0) return [];
  const remote = await findRemote(repository);
  const pushes = remote !== null && autoPush !== false;
  // A part of the work is pushed, and asked about where it is reviewed.
  const isWhole = stageOf(context.request.hookParams['stage'])?.isLast !== false;
  const asks = outcome === 'pr_ready' && isWhole && (pushes || remote === null);
  const task = await findTask(context.services.store.read, context.task.id);
  const criteria = task === null ? [] : await listCriteria(context.services.store.read, task);
  const judged = await lastJudgedPlan(context.services.store.read, context.task.id);
  const base: EffectWork = { kind: 'push', branch: change.baseBranch, commit: change.baseCommit, only: 'if absent' };
  return [
    ...(pushes && change.phaseId !== null ? [effectOf(context, `push-base:${run.id}`, base)] : []),
    ...(pushes
      ? [effectOf(context, `push:${run.id}`, { kind: 'push', branch: change.branch, commit: change.head })]
      : []),
    ...(asks ? [effectOf(context, `pr:${run.id}`, pullRequest(context, { change, criteria, judged }))] : []),
  ];
}

type Asked = {
  readonly change: Change;
  readonly criteria: ReadonlyArray<Criterion>;
  readonly judged: JudgedPlan | null;
};

function pullRequest({ task, project, state }: RunContext, { change, criteria, judged }: Asked): EffectWork {
  const { git } = project.config;
  return {
    kind: 'create_pr',
    headBranch: change.branch,
    baseBranch: change.baseBranch,
    title: task.title,
    body: pullRequestText({
      task,
      commits: change.commits,
      checks: state.run.checks,
      criteria,
      judged,
      template: git?.prTemplate,
    }),
    state: git?.prDraft === true ? 'draft' : 'open',
    phaseId: change.phaseId,
  };
}

/** A reviewing agent's findings are also posted on the pull request. */
export async function reviewEffects(context: RunContext): Promise<ReadonlyArray<NewEffect>> {
  const { outcome, payload } = resultOf(context, 'validate');
  const body = reviewText(outcome, payload);
  const artifacts = await listArtifacts(context.services.store.read, context.task.id);
  const open = artifacts.findLast(isOpenRequest);
  if (body === null || open === undefined) return [];
  const key = `review:${context.state.run.id}`;
  return [effectOf(context, key, { kind: 'comment_pr', artifactId: open.id, commentKey: key, body })];
}

function effectOf({ state, task }: RunContext, key: string, work: EffectWork): NewEffect {
  const { run } = state;
  const actor = { type: 'system', runId: run.id } as const;
  return { projectId: task.projectId, taskId: task.id, runId: run.id, key, work, actor };
}
