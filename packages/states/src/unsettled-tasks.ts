import { isCancelled } from '@attractor/facts';
import {
  listAskedTasks,
  listHeldTasks,
  listPipelinesInUse,
  listRestingTasks,
  listUnmergedTasks,
  type PipelineDefinition,
  type StatusPlace,
  type Store,
  tasksOfIds,
  type WaitingTasks,
} from '@attractor/store';
import { readQueueFacts } from './queue-facts.ts';
import { type Known, readStates } from './read-states.ts';
import { personHolds } from './task-state.ts';

/** Of whose tasks. Absent: of all. */
export type Scope = {
  readonly projectId?: string;
  readonly projectIds?: ReadonlyArray<string>;
  readonly taskId?: string;
};

type Search = Known & { readonly scope: Scope; readonly limit: number };

/** Every task that waits for a person, the longest wait first; those beyond the limit are counted only. */
export async function listWaitingTasks(store: Store, { limit, ...scope }: Scope & { readonly limit: number }) {
  const known: Known = { pipelines: await listPipelinesInUse(store.read), queue: await readQueueFacts(store) };
  const search = { scope, limit, ...known };
  const kinds = [await asked(store, search), await held(store, search), await unsettled(store, search)];
  const oldest = kinds.flatMap((kind) => kind.oldest).toSorted((a, b) => orderOf(a, b));
  return {
    ids: oldest.slice(0, limit).map(({ id }) => id),
    count: kinds.reduce((sum, kind) => sum + kind.count, 0),
    known,
  };
}

type Waiting = WaitingTasks['oldest'][number];

function orderOf(a: Waiting, b: Waiting): number {
  if (a.since === b.since) return a.id < b.id ? -1 : 1;
  return a.since < b.since ? -1 : 1;
}

function asked(store: Store, { scope, pipelines, limit }: Search): Promise<WaitingTasks> {
  return listAskedTasks(store.read, { ...scope, limit, places: placesOf(pipelines, openStatuses) });
}

/** Runs that are rows until a person does something: as `queued` of the fold says, but for all of them at once. */
function held(store: Store, { scope, pipelines, limit, queue }: Search): Promise<WaitingTasks> {
  const { isPaused, paused, workers, limits } = queue;
  return listHeldTasks(store.read, {
    ...scope,
    limit,
    places: placesOf(pipelines, openStatuses),
    hold: {
      paused: isPaused ? 'all' : [...paused],
      codes: personHolds(),
      unattended: workers.length > 0 ? null : { limitedAccounts: [...limits.keys()] },
    },
  });
}

/** What nobody works on, or what ended with work that no base has: the fold tells which of these wait. */
async function unsettled(store: Store, { scope, pipelines }: Search): Promise<WaitingTasks> {
  const resting = await listRestingTasks(store.read, {
    ...scope,
    places: placesOf(pipelines, openStatuses),
    first: placesOf(pipelines, ({ initialStatus }) => [initialStatus]),
  });
  const unmerged = await listUnmergedTasks(store.read, { ...scope, places: placesOf(pipelines, acceptedStatuses) });
  const tasks = await tasksOfIds(store.read, [...resting, ...unmerged]);
  const stated = await readStates(store, tasks, { depth: 'kinds' });
  const oldest = stated.flatMap(({ task, state }) => (state.needsPerson ? [{ id: task.id, since: state.since }] : []));
  return { oldest, count: oldest.length };
}

function placesOf(
  pipelines: ReadonlyArray<PipelineDefinition>,
  statusesOf: (pipeline: PipelineDefinition) => ReadonlyArray<string>,
): ReadonlyArray<StatusPlace> {
  return pipelines.map((pipeline) => ({
    pipelineId: pipeline.id,
    pipelineVersion: pipeline.version,
    statuses: statusesOf(pipeline),
  }));
}

function openStatuses({ statuses, terminalStatuses }: PipelineDefinition): ReadonlyArray<string> {
  return statuses.map(({ id }) => id).filter((id) => !terminalStatuses.includes(id));
}

function acceptedStatuses({ terminalStatuses }: PipelineDefinition): ReadonlyArray<string> {
  return terminalStatuses.filter((id) => !isCancelled(id));
}
