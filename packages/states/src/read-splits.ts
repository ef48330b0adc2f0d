import { isCancelled } from '@attractor/facts';
import { isSettled, readSubtasks, type StandingSubtask, unresolvedDependencies } from '@attractor/pipeline';
import {
  dependentTasks,
  findPipeline,
  newestRuns,
  openSplits,
  type PipelineDefinition,
  type Reader,
  type Split,
  type Task,
} from '@attractor/store';
import type { SplitFacts } from './state-facts.ts';

/** What each of these tasks waits for, if it was split. */
export async function readSplits(db: Reader, taskIds: ReadonlyArray<string>): Promise<ReadonlyMap<string, SplitFacts>> {
  const found = new Map<string, SplitFacts>();
  for (const split of await openSplits(db, taskIds)) found.set(split.taskId, await factsOf(db, split));
  return found;
}

async function factsOf(db: Reader, split: Split): Promise<SplitFacts> {
  const standing = await readSubtasks(db, split);
  const ids = standing.map(({ id }) => id);
  const runs = await newestRuns(db, ids);
  const dependents = await dependentTasks(db, ids);
  const subtasks: Array<SplitFacts['subtasks'][number]> = [];
  for (const one of standing) {
    const { id, key, title, standing: how } = one;
    const pipeline = one.task === null ? null : await findPipeline(db, one.task.pipelineId, one.task.pipelineVersion);
    const isStarted = runs.has(id) || (one.task !== null && one.task.status !== pipeline?.initialStatus);
    const waits = dependents.has(id) && (await unresolvedDependencies(db, id)).length > 0;
    const start = isSettled(one) || isStarted || waits ? null : startOf(one, pipeline);
    subtasks.push({ id, key, title, standing: how, isStarted, start });
  }
  return { since: split.createdAt, mode: split.mode, subtasks };
}

type Start = SplitFacts['subtasks'][number]['start'];

/** By the first agent that its pipeline can start; where people work, by its first transition. */
function startOf({ task }: StandingSubtask, pipeline: PipelineDefinition | null): Start {
  const ways = (pipeline?.transitions ?? []).filter(
    ({ from, to, trigger }) => isFirst(task, from) && trigger.type === 'manual' && !isCancelled(to),
  );
  const hook = ways.flatMap(({ hooks = [] }) => hooks).find(({ type }) => type === 'start_agent');
  if (hook !== undefined)
    return { mode: typeof hook.params?.['mode'] === 'string' ? hook.params['mode'] : 'implement' };
  const [move] = ways;
  return move === undefined ? null : { move };
}

function isFirst(task: Task | null, from: string): boolean {
  return task !== null && (from === task.status || from === '*');
}
