import { done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { branchTip, findPlace, type OfTask, pullRequestText } from '@attractor/repository';
import { type Actor, type Artifact, type EffectWork, lastJudgedPlan, refuse, type Result } from '@attractor/store';
import { onPlace, putAndSettle, refusalOf, type ScmOptions } from './on-place.ts';

export async function openPullRequest(options: ScmOptions, of: OfTask, actor: Actor): Promise<Result<Artifact>> {
  return onPlace(options, of, async ({ repository, remote }, place) => {
    const { task, project, branch, baseBranch, phase } = place;
    const commit = await branchTip(repository, branch);
    if (commit === null) return refuse('not_found', `There is no branch "${branch}" in ${repository.root}.`);
    const asked = newId('ask');
    const { git: choices } = project.config;
    const judged = await lastJudgedPlan(options.store.read, task.id);
    const request: EffectWork = {
      kind: 'create_pr',
      headBranch: branch,
      baseBranch,
      title: task.title,
      body: pullRequestText({ task, commits: [], checks: [], judged, template: choices?.prTemplate }),
      state: choices?.prDraft === true ? 'draft' : 'open',
      phaseId: phase?.id ?? null,
    };
    const effects = [
      ...(remote === null ? [] : [{ key: `push:${asked}`, work: { kind: 'push', branch, commit } as const }]),
      { key: `pr:${asked}`, work: request },
    ];
    const refusal = refusalOf(await putAndSettle(options, place, { actor, effects }));
    if (refusal !== null) return refusal;
    const found = await findPlace(options.store.read, of);
    const made = found.ok ? found.value.pullRequest : null;
    return made === null ? refuse('unavailable', "No pull request was made: look at the task's events.") : done(made);
  });
}
