import { done } from '@attractor/base';
import { criterionOn, readBranchHead } from '@attractor/pipeline';
import {
  type Actor,
  appendEvents,
  type Criterion,
  findTask,
  listCriteria,
  listRuns,
  metCriteria,
  recordCriteria,
  refuse,
  refuseOnDatabaseError,
  type Result,
  type Store,
  syncCriteria,
  transactionTime,
  type Tx,
  updateTask,
} from '@attractor/store';
import { verifyClaims } from '@attractor/run';
import type { CriterionCommands, CriterionDecision } from './contract.ts';

export function createCriterionCommands({ store }: { readonly store: Store }): CriterionCommands {
  return {
    criteria: (taskId) => refuseOnDatabaseError(() => readCriteria(store, taskId)),
    markCriterion: (decision, actor) =>
      refuseOnDatabaseError(async () => {
        const marked = await store.transact((tx) => markIn(tx, decision, actor));
        return marked.ok ? readCriteria(store, decision.taskId) : marked;
      }),
    verifyCriteria: (taskId, actor) => refuseOnDatabaseError(() => verify(store, taskId, actor)),
  };
}

async function readCriteria(store: Store, taskId: string): Promise<Result<ReadonlyArray<Criterion>>> {
  const task = await findTask(store.read, taskId);
  if (task === null) return refuse('not_found', `There is no task ${taskId}.`);
  const criteria = await listCriteria(store.read, task);
  if (criteria.every(({ claim }) => claim === null)) return done(criteria);
  const head = await readBranchHead(store.read, task);
  return done(criteria.map((one) => (head === null ? one : criterionOn(head.commit, one))));
}

async function markIn(
  tx: Tx,
  { taskId, number, isMet, note }: CriterionDecision,
  actor: Actor,
): Promise<Result<ReadonlyArray<Criterion>>> {
  const task = await findTask(tx, taskId);
  if (task === null) return refuse('not_found', `There is no task ${taskId}.`);
  const before = await listCriteria(tx, task);
  if (!before.some((one) => one.number === number)) return refuse('not_found', unknownNumber(before, number));
  await syncCriteria(tx, task.acceptanceCriteria, task);
  const mark = isMet === null ? null : { isMet, note: note ?? null, by: actor, at: transactionTime(tx) };
  await recordCriteria(tx, task.id, new Map([[number, { mark }]]));
  // Without a decision the list says nothing by itself: only what was claimed counts.
  const blank = task.acceptanceCriteria.map((one, at) =>
    before[at]?.number === number ? { ...one, met: false } : one,
  );
  const met = await metCriteria(tx, { id: task.id, acceptanceCriteria: blank });
  const changed = await updateTask(tx, task, { acceptanceCriteria: met });
  if (changed === null) return refuse('conflict', 'The task was changed by someone else at the same time: try again.');
  const criteria = await listCriteria(tx, changed);
  const one = criteria.find((criterion) => criterion.number === number);
  if (one === undefined) return refuse('not_found', unknownNumber(criteria, number));
  await appendEvents(tx, [
    {
      projectId: task.projectId,
      taskId: task.id,
      type: 'criterion.marked',
      summary: `Criterion ${number} is ${one.state}: ${one.text}`,
      data: { task: changed, criterion: { number, text: one.text, state: one.state, detail: one.detail } },
      actor,
    },
  ]);
  return done(criteria);
}

function unknownNumber(criteria: ReadonlyArray<Criterion>, number: number): string {
  const numbers = criteria.map((one) => one.number).join(', ');
  return `The task has no criterion ${number}; ${numbers === '' ? 'it has none' : `it has ${numbers}`}.`;
}

async function verify(store: Store, taskId: string, actor: Actor): Promise<Result<ReadonlyArray<Criterion>>> {
  const task = await findTask(store.read, taskId);
  if (task === null) return refuse('not_found', `There is no task ${taskId}.`);
  const head = await readBranchHead(store.read, task);
  if (head === null)
    return refuse('not_found', `The task ${task.key} has no branch on this machine: there is nothing to verify.`);
  const [running] = await listRuns(store.read, { taskId, status: 'running' });
  if (running !== undefined)
    return refuse('blocked', 'An agent is working on this task: its criteria are verified when it ends.');
  await verifyClaims(store, { taskId, folder: head.root, commit: head.commit, checks: [] }, actor);
  return readCriteria(store, taskId);
}
