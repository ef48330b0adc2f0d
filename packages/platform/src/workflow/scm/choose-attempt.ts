import { newId } from '@attractor/base/id';
import { readChange } from '@attractor/bundle';
import { commitOf, type ProjectGit, type TaskPlace } from '@attractor/repository';
import {
  type Actor,
  appendEvents,
  type EffectWork,
  refuse,
  type Result,
  saveJudgement,
  transactionTime,
} from '@attractor/store';
import type { Attempt, AttemptGroup } from '@attractor/run';
import { findAttempts } from '../spend/read-attempts.ts';
import type { AttemptChosen } from './contract.ts';
import { onPlace, putAndSettle, refusalOf, type ScmOptions } from './on-place.ts';
import { showWhatIsLeft } from './roll-back.ts';
import { refuseAtWork } from '../tasks/at-work.ts';

/** Takes the work of another attempt: by a commit on the task's branch, so that nothing is rewritten and the first can be taken again. */
export async function chooseAttempt(
  options: ScmOptions,
  { groupId, runId }: AttemptChosen,
  actor: Actor,
): Promise<Result<AttemptGroup>> {
  const group = await findAttempts(options.store.read, groupId);
  if (group === null) return refuse('not_found', `There are no attempts ${groupId}.`);
  const pair = pairOf(group, runId);
  if (!pair.ok) return pair;
  return onPlace<AttemptGroup>(options, { taskId: group.taskId }, async (project, place) => {
    const work = await workOf(options, project, { place, ...pair.value });
    if (!work.ok) return work;
    const effects = [{ key: `rollback:${newId('ask')}`, work: work.value }];
    const refusal = refusalOf(await putAndSettle(options, place, { actor, effects }));
    if (refusal !== null) return refusal;
    await record(options, { group, wanted: pair.value.wanted, actor });
    await showWhatIsLeft(options, place, actor);
    const chosen = await findAttempts(options.store.read, groupId);
    return chosen === null ? refuse('not_found', `There are no attempts ${groupId}.`) : { ok: true, value: chosen };
  });
}

type Pair = { readonly taken: Attempt; readonly wanted: Attempt };

function pairOf({ id, attempts, status, winnerRunId }: AttemptGroup, runId: string): Result<Pair> {
  const wanted = attempts.find(({ run }) => run.id === runId);
  const taken = attempts.find(({ run }) => run.id === winnerRunId);
  if (wanted === undefined) return refuse('not_found', `The run ${runId} is not one of the attempts ${id}.`);
  if (status !== 'judged' || taken === undefined)
    return refuse('blocked', 'The attempts are not ranked yet: wait until all have ended, or stop them.');
  if (wanted === taken) return refuse('conflict', `Attempt ${wanted.number} has already been chosen.`);
  return { ok: true, value: { taken, wanted } };
}

type Wish = Pair & { readonly place: TaskPlace };

/** The way from the one's last commit to the other's: what led to the taken one is undone in favour of the wanted one. */
async function workOf(
  { store }: ScmOptions,
  { repository }: ProjectGit,
  { place, taken, wanted }: Wish,
): Promise<Result<EffectWork>> {
  const atWork = await refuseAtWork(store.read, place.task.id);
  if (atWork !== null) return atWork;
  if (typeof place.pullRequest?.metadata['mergeCommit'] === 'string')
    return refuse('blocked', 'The work is already merged: take the merge back first.');
  const heads = [await readChange({ store, run: taken.run }), await readChange({ store, run: wanted.run })] as const;
  const [to, from] = [heads[0].headCommit, heads[1].headCommit];
  if (from === null || to === null || (await commitOf(repository, from)) === null)
    return refuse('not_found', `The work of attempt ${wanted.number} is not in ${repository.root} any more.`);
  const label = `attempt ${taken.number}, in favour of attempt ${wanted.number}`;
  return { ok: true, value: { kind: 'roll_back', branch: place.branch, owner: 'ours', from, to, label } };
}

type Recorded = { readonly group: AttemptGroup; readonly wanted: Attempt; readonly actor: Actor };

async function record({ store }: ScmOptions, { group, wanted, actor }: Recorded): Promise<void> {
  await store.transact(async (tx) => {
    await saveJudgement(tx, { id: group.id, winnerRunId: wanted.run.id, at: transactionTime(tx) });
    await appendEvents(tx, [
      {
        projectId: group.projectId,
        taskId: group.taskId,
        type: 'attempts.chosen',
        summary: `Attempt ${wanted.number} of ${group.attempts.length} was chosen instead`,
        data: { groupId: group.id, winnerRunId: wanted.run.id },
        actor,
      },
    ]);
  });
}
