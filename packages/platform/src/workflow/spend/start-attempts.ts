import { done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import {
  type Actor,
  appendEvents,
  insertAttempt,
  insertGroup,
  refuse,
  type Result,
  type Store,
  transactionTime,
  type Tx,
} from '@attractor/store';
import { startRun, stopRun } from '@attractor/pipeline';
import { findStartable, moveAlong } from '../runs/runs.ts';
import type { AttemptChoice, AttemptsInput } from './contract.ts';
import type { AttemptGroup } from '@attractor/run';
import { findAttempts } from './read-attempts.ts';

const FEWEST = 2;
const MOST = 10;

/** Several parallel runs of one task, each in its own worktree and on its own branch. While they run, no other agent starts on the task. */
export function startAttempts(
  store: Store,
  input: AttemptsInput,
  by: { readonly actor: Actor; readonly defaultAgentType: string },
): Promise<Result<AttemptGroup>> {
  return store.transact(async (tx) => {
    const choices = choicesOf(input);
    if (choices.length < FEWEST || choices.length > MOST)
      return refuse('invalid', `Give ${FEWEST} to ${MOST} attempts, not ${choices.length}.`);
    const found = await findStartable(tx, input.taskId);
    if (!found.ok) return found;
    const mode = input.mode ?? 'implement';
    const begun = await moveAlong(tx, { ...found.value, mode }, by);
    if (!begun.ok) return begun;
    const { task, hookParams } = begun.value;
    const groupId = newId('atg');
    await insertGroup(tx, {
      id: groupId,
      task_id: task.id,
      project_id: task.projectId,
      winner_run_id: null,
      judged_at: null,
      created_at: transactionTime(tx),
    });
    const runIds: string[] = [];
    for (const [index, overrides] of choices.entries()) {
      const run = await startRun(tx, { task, mode, hookParams, overrides, ...by });
      await insertAttempt(tx, { runId: run.id, groupId, number: index + 1 });
      runIds.push(run.id);
    }
    await appendEvents(tx, [
      {
        projectId: task.projectId,
        taskId: task.id,
        type: 'attempts.started',
        summary: `${choices.length} attempts started: the best one by the project's checks becomes the task's branch`,
        data: { groupId, runIds },
        actor: by.actor,
      },
    ]);
    return answer(await findAttempts(tx, groupId), groupId);
  });
}

function choicesOf({ attempts, n }: AttemptsInput): ReadonlyArray<AttemptChoice> {
  if (attempts !== undefined) return attempts;
  return Array.from(
    { length: Number.isInteger(n) && n !== undefined ? Math.min(Math.max(n, 0), 1_000) : 0 },
    () => ({}),
  );
}

export function cancelAttempts(store: Store, groupId: string, actor: Actor): Promise<Result<AttemptGroup>> {
  return store.transact(async (tx) => {
    const group = await findAttempts(tx, groupId);
    if (group === null) return refuse('not_found', `There are no attempts ${groupId}.`);
    if (group.status !== 'running') return refuse('conflict', `The attempts have ended already: ${group.status}.`);
    await stopAll(tx, group, actor);
    return answer(await findAttempts(tx, groupId), groupId);
  });
}

async function stopAll(tx: Tx, group: AttemptGroup, actor: Actor): Promise<void> {
  for (const { run } of group.attempts) if (run.status === 'running') await stopRun(tx, run, actor);
}

function answer(group: AttemptGroup | null, id: string): Result<AttemptGroup> {
  return group === null ? refuse('not_found', `There are no attempts ${id}.`) : done(group);
}
