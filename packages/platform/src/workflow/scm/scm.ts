import { done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import {
  branchTip,
  isOpenRequest,
  type OfTask,
  openProjectGit,
  readBranchDiff,
  readBranchLines,
  readBranchPicture,
  readBranchState,
  readForge,
  reconcilePullRequests,
  type TaskPlace,
} from '@attractor/repository';
import {
  type Actor,
  type Effect,
  findProject,
  listEffects,
  publicEffect,
  refuse,
  refuseOnDatabaseError,
  type Result,
} from '@attractor/store';
import type { ScmCommands } from './contract.ts';
import { approve } from './approve.ts';
import { chooseAttempt } from './choose-attempt.ts';
import { importIssues, listIssues } from './import-issues.ts';
import { mergePullRequest, revertMerge } from './merge.ts';
import { resolveConflict } from './resolve-conflict.ts';
import { runDiff } from './run-diff.ts';
import { rollBack, taskChanges } from './roll-back.ts';
import { answerShown } from './shown-work.ts';
import { rebase } from './update-branch.ts';
import { onPlace, putAndSettle, refusalOf, type ScmOptions } from './on-place.ts';
import { openPullRequest } from './open-pull-request.ts';

export function createScmCommands(options: ScmOptions): ScmCommands {
  const { store } = options;
  const guarded = refuseOnDatabaseError;
  return {
    mergePullRequest: (of, actor) => guarded(() => mergePullRequest(options, of, actor)),
    answerPrompt: (input, actor) => guarded(() => answerShown(options, input, actor)),
    approve: (input, actor) => guarded(() => approve(options, input, actor)),
    pushBranch: (of, actor) => guarded(() => pushBranch(options, of, actor)),
    openPullRequest: (of, actor) => guarded(() => openPullRequest(options, of, actor)),
    branchState: (of) => guarded(() => onPlace(options, of, readBranchState)),
    rebase: (of, actor) => guarded(() => rebase(options, of, actor)),
    resolveConflict: (of, actor) => guarded(() => resolveConflict(options, of, actor)),
    revertMerge: (of, actor) => guarded(() => revertMerge(options, of, actor)),
    taskChanges: (of) => guarded(() => taskChanges(options, of)),
    rollBack: (input, actor) => guarded(() => rollBack(options, input, actor)),
    diff: (of) => guarded(() => onPlace(options, of, readBranchDiff)),
    picture: (of) => guarded(() => onPlace(options, of, (project, place) => readBranchPicture(project, place, of))),
    fileLines: (of) => guarded(() => onPlace(options, of, (project, place) => readBranchLines(project, place, of))),
    runDiff: (runId) => guarded(() => runDiff(options, runId)),
    chooseAttempt: (input, actor) => guarded(() => chooseAttempt(options, input, actor)),
    listEffects: async (taskId) => (await listEffects(store.read, taskId)).map(publicEffect),
    forge: (projectId) => guarded(() => forge(options, projectId)),
    listIssues: (projectId) => guarded(() => listIssues(options, projectId)),
    importIssues: (input, actor) => guarded(() => importIssues(options, input, actor)),
    reconcilePullRequests: (projectId) =>
      guarded(async () => done({ changed: await reconcilePullRequests(options, projectId) })),
  };
}

async function pushBranch(options: ScmOptions, of: OfTask, actor: Actor): Promise<Result<ReadonlyArray<Effect>>> {
  return onPlace(options, of, async ({ repository, remote }, place) => {
    if (remote === null)
      return refuse('blocked', `${repository.root} has no remote to push to: add one with "git remote add origin …".`);
    const commit = await branchTip(repository, place.branch);
    if (commit === null) return refuse('not_found', `There is no branch "${place.branch}" in ${repository.root}.`);
    const push = { key: `push:${newId('ask')}`, work: { kind: 'push', branch: place.branch, commit } } as const;
    const left = (await listEffects(options.store.read, place.task.id)).filter((effect) =>
      isMissingRequest(effect, place),
    );
    const requests = left.flatMap(({ key, work }) => (work === null ? [] : [{ key, work }]));
    const ended = await putAndSettle(options, place, { actor, effects: [push, ...requests.slice(-1)] });
    return refusalOf(ended) ?? done(ended.map(publicEffect));
  });
}

/** A pull request that was not opened because its branch could not be pushed. */
function isMissingRequest({ work, state }: Effect, { branch, pullRequest }: TaskPlace): boolean {
  const wanted = pullRequest === null || !isOpenRequest(pullRequest);
  return wanted && state === 'failed' && work?.kind === 'create_pr' && work.headBranch === branch;
}

async function forge(options: ScmOptions, projectId: string): ReturnType<ScmCommands['forge']> {
  const project = await findProject(options.store.read, projectId);
  if (project === null) return refuse('not_found', `There is no project ${projectId}.`);
  const opened = await openProjectGit(options, project);
  return opened.ok ? readForge(options, opened.value) : opened;
}
