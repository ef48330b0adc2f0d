import { defined, done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import {
  branchTip,
  commitOf,
  git,
  newestBase,
  type OfTask,
  type ProjectGit,
  readCommits,
  readDiffStat,
  type TaskPlace,
} from '@attractor/repository';
import { type Actor, type EffectWork, listArtifacts, listPrompts, refuse, type Result } from '@attractor/store';
import type { RollBack, RolledBack, TaskChanges } from './contract.ts';
import { isReviewOfWork } from './merge.ts';
import { onPlace, putAndSettle, refusalOf, type ScmOptions } from './on-place.ts';
import { renewReview } from './shown-work.ts';
import { refuseAtWork } from '../tasks/at-work.ts';

/** What a task changed, step by step: each commit of its branch, with the run that made it. Also after the work was merged. */
export function taskChanges(options: ScmOptions, of: OfTask): Promise<Result<TaskChanges>> {
  return onPlace(options, of, (project, place) => readChanges(options, project, place));
}

async function readChanges({ store }: ScmOptions, project: ProjectGit, place: TaskPlace): Promise<Result<TaskChanges>> {
  const { root } = project.repository;
  const { branch, baseBranch, task } = place;
  const head = (await branchTip(project.repository, branch)) ?? textOf(place.pullRequest?.metadata['headCommit']);
  if (head === null) return refuse('not_found', `There is no branch "${branch}" in ${root}.`);
  const from = await startOf(project, place, head);
  if (!from.ok) return from;
  const commits = await readCommits(root, { from: from.value, to: head });
  if (!commits.ok) return commits;
  const artifacts = await listArtifacts(store.read, task.id);
  const steps: Array<TaskChanges['steps'][number]> = [];
  for (const { hash, author, message } of commits.value) {
    const parent = await commitOf(project.repository, `${hash}^1`);
    const stat = await readDiffStat(root, { from: parent ?? from.value, to: hash });
    if (!stat.ok) return stat;
    const runId = artifacts.find(({ type, metadata }) => type === 'commit' && metadata['hash'] === hash)?.runId ?? null;
    steps.push({ step: steps.length + 1, commit: hash, author, title: message, runId, files: stat.value.files });
  }
  const merged = textOf(place.pullRequest?.metadata['mergeCommit']);
  return done({ branch, baseBranch, baseCommit: from.value, headCommit: head, mergedAs: merged, steps });
}

/** Where the task's own work begins: also if the base has it by now. */
async function startOf(
  project: ProjectGit,
  { baseBranch, pullRequest }: TaskPlace,
  head: string,
): Promise<Result<string>> {
  const { root } = project.repository;
  const base = textOf(pullRequest?.metadata['baseCommit']) ?? (await newestBase(project, baseBranch));
  if (base === null) return refuse('not_found', `There is no branch "${baseBranch}" in ${root}.`);
  return git(['merge-base', base, head], { cwd: root });
}

/** Undoes work of a task by a new commit: on its branch, or on its base once that has it. Nothing is rewritten. */
export function rollBack(options: ScmOptions, input: RollBack, actor: Actor): Promise<Result<RolledBack>> {
  return onPlace<RolledBack>(options, { taskId: input.taskId }, async (project, place) => {
    const atWork = await refuseAtWork(options.store.read, place.task.id);
    if (atWork !== null) return atWork;
    const changes = await readChanges(options, project, place);
    if (!changes.ok) return changes;
    const work = decide(changes.value, input, place.task.key);
    if (!work.ok) return work;
    const effects = [{ key: `rollback:${newId('ask')}`, work: work.value }];
    const ended = await putAndSettle(options, place, { actor, effects });
    const refusal = refusalOf(ended);
    if (refusal !== null) return refusal;
    await showWhatIsLeft(options, place, actor);
    const commit = await branchTip(project.repository, work.value.branch);
    return done({ branch: work.value.branch, label: work.value.label, commit });
  });
}

/** A review that waits is asked anew, about the work without what was undone. */
export async function showWhatIsLeft(options: ScmOptions, { task }: TaskPlace, actor: Actor): Promise<void> {
  const prompts = await listPrompts(options.store.read, { taskId: task.id, status: 'pending' });
  const review = prompts.find(isReviewOfWork);
  if (review !== undefined) await renewReview(options, review, actor);
}

type Work = Extract<EffectWork, { readonly kind: 'roll_back' }>;

function decide(changes: TaskChanges, { step, files }: RollBack, taskKey: string): Result<Work> {
  const { branch, baseBranch, baseCommit, headCommit, mergedAs, steps } = changes;
  const place =
    mergedAs === null ? { branch, owner: 'ours' as const } : { branch: baseBranch, owner: 'theirs' as const };
  const kind = 'roll_back' as const;
  const changed = new Set(steps.flatMap((one) => one.files.map(({ path }) => path)));
  const unknown = (files ?? []).find((file) => !changed.has(file));
  if (unknown !== undefined)
    return refuse('not_found', `The task did not change ${unknown}: see "attractor tasks changes ${taskKey}".`);
  if (step === undefined) {
    const label = files === undefined ? 'all of it' : files.join(', ');
    return done({ kind, ...place, from: baseCommit, to: headCommit, ...defined({ files }), label });
  }
  const wanted = steps.find((one) => one.step === step);
  if (wanted === undefined)
    return refuse(
      'not_found',
      `There is no step ${step}: the task has ${steps.length} (see "attractor tasks changes ${taskKey}").`,
    );
  return done({
    kind,
    ...place,
    from: `${wanted.commit}^1`,
    to: wanted.commit,
    ...defined({ files }),
    label: `step ${step}: ${wanted.title}`,
  });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
