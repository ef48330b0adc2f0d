import { setTimeout as sleep } from 'node:timers/promises';
import { defined, done } from '@attractor/base';
import {
  type Actor,
  appendEvents,
  findProject,
  listWorkersHere,
  NO_PROJECT,
  type QueuedJob,
  type QueueState,
  readQueueState,
  refuse,
  refuseOnDatabaseError,
  type Result,
  setLanePaused,
  setLimit,
  setQueuePaused,
  type Store,
  whyUnmet,
} from '@attractor/store';
import type { QueueCommands } from './contract.ts';

export function createQueueCommands({ store }: { readonly store: Store }): QueueCommands {
  const guarded = refuseOnDatabaseError;
  return {
    queueState: async (filter = {}) => withUnmetLabels(store, await readQueueState(store.read, filter)),
    pauseQueue: (scope, actor) => guarded(() => setPause(store, { ...scope, pause: 'paused' }, actor)),
    resumeQueue: (scope, actor) => guarded(() => setPause(store, { ...scope, pause: 'open' }, actor)),
    drainQueue: (scope, actor) => guarded(() => drain(store, scope, actor)),
    setQueueLimit: (limit, actor) => guarded(() => limitQueue(store, limit, actor)),
  };
}

/** No gate is asked about a run that no worker may take: it waits for a worker that is not there. */
async function withUnmetLabels(store: Store, state: QueueState): Promise<QueueState> {
  const isOpen = (job: QueuedJob): boolean => job.state === 'queued' && job.blocked === null && job.labels.length > 0;
  if (!state.jobs.some(isOpen)) return state;
  const workers = await listWorkersHere(store);
  const explained = (job: QueuedJob): QueuedJob => {
    const message = isOpen(job) ? whyUnmet(job.labels, workers) : null;
    return message === null ? job : { ...job, blocked: { code: 'no_labels', message } };
  };
  return { ...state, jobs: state.jobs.map(explained) };
}

type Scope = { readonly projectId?: string };

function setPause(
  store: Store,
  { projectId, pause }: Scope & { readonly pause: 'paused' | 'open' },
  actor: Actor,
): Promise<Result<QueueState>> {
  return store.transact(async (tx) => {
    const project = projectId === undefined ? null : await findProject(tx, projectId);
    if (projectId !== undefined && project === null) return refuse('not_found', `There is no project ${projectId}.`);
    if (project === null) await setQueuePaused(tx, pause);
    else await setLanePaused(tx, project.id, pause);
    const what = project === null ? 'The queue' : `The queue of ${project.name}`;
    await appendEvents(tx, [
      {
        projectId: project?.id ?? NO_PROJECT,
        type: pause === 'paused' ? 'queue.paused' : 'queue.resumed',
        summary: `${what} ${pause === 'paused' ? 'was paused: running runs continue, no new ones start' : 'was resumed'}`,
        actor,
      },
    ]);
    return done(await readQueueState(tx, defined({ projectId })));
  });
}

const DRAIN_PATIENCE_MS = 600_000;
const DRAIN_LOOK_MS = 200;

async function drain(
  store: Store,
  { patienceMs = DRAIN_PATIENCE_MS, ...scope }: Scope & { readonly patienceMs?: number },
  actor: Actor,
): Promise<Result<QueueState>> {
  const paused = await setPause(store, { ...scope, pause: 'paused' }, actor);
  if (!paused.ok) return paused;
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const state = await readQueueState(store.read, scope);
    if (state.running === 0 || performance.now() > deadline) return done(state);
    await sleep(DRAIN_LOOK_MS);
  }
}

function limitQueue(
  store: Store,
  limit: Parameters<QueueCommands['setQueueLimit']>[0],
  actor: Actor,
): Promise<Result<QueueState>> {
  return store.transact(async (tx) => {
    const name = limit.name.trim();
    if (name === '') return refuse('invalid', `A limit needs the name of the ${limit.kind} that it applies to.`);
    if (limit.max !== null && (!Number.isInteger(limit.max) || limit.max < 0))
      return refuse('invalid', `A limit is a whole number from 0, not ${limit.max}.`);
    await setLimit(tx, { ...limit, name });
    const summary =
      limit.max === null
        ? `No limit for ${limit.kind} ${name}`
        : `At most ${limit.max} runs of ${limit.kind} ${name} at once`;
    await appendEvents(tx, [
      { projectId: NO_PROJECT, type: 'queue.limit_set', summary, data: { limit: { ...limit, name } }, actor },
    ]);
    return done(await readQueueState(tx, {}));
  });
}
