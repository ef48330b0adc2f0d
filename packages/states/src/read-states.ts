import { readOptions, unresolvedDependencies } from '@attractor/pipeline';
import {
  dependentTasks,
  findPipeline,
  finishedSteps,
  lastEffects,
  lastMoves,
  type LastMove,
  listEvents,
  newestRuns,
  openJobs,
  openPrompts,
  type PipelineDefinition,
  type Reader,
  RUN_STEPS,
  type RunSummary,
  type Store,
  type Task,
  workArtifacts,
  whyUnmet,
} from '@attractor/store';
import { unkeptOf, mergeFactsOf } from './merge-facts.ts';
import { NO_QUEUE, type QueueFacts, readQueueFacts } from './queue-facts.ts';
import { readSplits } from './read-splits.ts';
import type { JobFacts, RunFacts, StateFacts } from './state-facts.ts';
import type { TaskState } from './state-words.ts';
import { stateOf } from './task-state.ts';

/** A task with its state. */
export type StatedTask = {
  readonly task: Task;
  readonly state: TaskState;
  /** The status that it left for its own; null if it was never moved, or while an agent is on it. */
  readonly cameFrom: string | null;
};

type Depth = {
  /** `kinds`: enough to tell the states apart, without the ways that the pipeline offers. */
  readonly depth: 'kinds' | 'steps';
};

/** The states of these tasks, in their order. A task whose pipeline is gone is left out. */
export async function readStates(
  store: Store,
  tasks: ReadonlyArray<Task>,
  depth: Depth,
): Promise<ReadonlyArray<StatedTask>> {
  const read = await readFacts(store, tasks, depth);
  return read.map((facts) => ({ task: facts.task, state: stateOf(facts), cameFrom: facts.cameFrom }));
}

/** What was read before and is not read again. */
export type Known = { readonly queue: QueueFacts; readonly pipelines: ReadonlyArray<PipelineDefinition> };

/** What their states are made from. */
export async function readFacts(
  store: Store,
  tasks: ReadonlyArray<Task>,
  { depth, known }: Depth & { readonly known?: Known },
): Promise<ReadonlyArray<StateFacts>> {
  const seen = await lookAt(store, tasks, known);
  const all: StateFacts[] = [];
  for (const task of tasks) {
    const pipeline = await seen.pipelineOf(task);
    if (pipeline !== null) all.push(await factsOf({ db: store.read, seen, depth }, task, pipeline));
  }
  return all;
}

type Seen = Awaited<ReturnType<typeof lookAt>>;

/** What is read for all tasks together; of those with an agent, only what the fold looks at then. */
async function lookAt(store: Store, tasks: ReadonlyArray<Task>, known: Known | undefined) {
  const db = store.read;
  const ids = tasks.map(({ id }) => id);
  const runs = await newestRuns(db, ids);
  const running = [...runs.values()].filter(({ status }) => status === 'running').map(({ id }) => id);
  const free = ids.filter((id) => runs.get(id)?.status !== 'running');
  const jobs = await openJobs(db, running);
  const atWork = running.filter((id) => jobs.get(id)?.state === 'running');
  const artifacts = await workArtifacts(db, ids);
  return {
    runs,
    jobs,
    artifacts,
    steps: await finishedSteps(db, atWork),
    prompts: await openPrompts(db, ids),
    moves: await lastMoves(db, free),
    merges: await lastEffects(db, 'merge_pr', [...artifacts.keys()]),
    keeps: await lastEffects(
      db,
      'keep_work',
      free.filter((id) => hasEndedEarly(runs.get(id))),
    ),
    dependents: await dependentTasks(db, free),
    splits: await readSplits(db, free),
    queue: running.length === 0 ? NO_QUEUE : (known?.queue ?? (await readQueueFacts(store))),
    pipelineOf: pipelineReader(db, known?.pipelines ?? []),
  };
}

/** Something of it may have to be kept. */
function hasEndedEarly(run: RunSummary | undefined): boolean {
  return run !== undefined && run.branch !== null && (run.status === 'cancelled' || run.status === 'failed');
}

/** Each version of a pipeline is read once. */
function pipelineReader(db: Reader, known: Known['pipelines']): (task: Task) => Promise<PipelineDefinition | null> {
  const pipelines = new Map<string, PipelineDefinition | null>(known.map((one) => [`${one.id}@${one.version}`, one]));
  return async ({ pipelineId, pipelineVersion }) => {
    const key = `${pipelineId}@${pipelineVersion}`;
    const read = pipelines.get(key);
    if (read !== undefined) return read;
    const found = await findPipeline(db, pipelineId, pipelineVersion);
    pipelines.set(key, found);
    return found;
  };
}

type Reading = { readonly db: Reader; readonly seen: Seen } & Depth;

async function factsOf({ db, seen, depth }: Reading, task: Task, pipeline: PipelineDefinition): Promise<StateFacts> {
  const move = seen.moves.get(task.id) ?? null;
  const summary = seen.runs.get(task.id) ?? null;
  const isEnded = pipeline.terminalStatuses.includes(task.status);
  const isAtRest = !isEnded && summary?.status !== 'running';
  const asks = isAtRest && depth === 'steps';
  return {
    task,
    pipeline,
    options: asks ? await readOptions(db, task, { pipeline, trigger: { type: 'manual' } }) : [],
    enteredAt: move?.at ?? task.createdAt,
    cameFrom: move?.from ?? null,
    run: summary === null ? null : await runFactsOf({ db, seen, depth }, task, { summary, move }),
    prompts: seen.prompts.get(task.id) ?? [],
    merge: mergeFactsOf(
      seen.artifacts.get(task.id) ?? [],
      seen.merges.get(task.id) ?? null,
      unkeptOf(summary, seen.keeps.get(task.id) ?? null),
    ),
    split: isAtRest ? (seen.splits.get(task.id) ?? null) : null,
    waitingFor: isAtRest && seen.dependents.has(task.id) ? await unresolvedDependencies(db, task.id) : [],
  };
}

async function runFactsOf(
  { db, seen, depth }: Reading,
  task: Task,
  { summary, move }: { readonly summary: RunSummary; readonly move: LastMove | null },
): Promise<RunFacts> {
  const finished = seen.steps.get(summary.id) ?? new Set();
  const hasFailed = summary.status === 'failed' || summary.status === 'timeout';
  return {
    ...summary,
    step: RUN_STEPS.find((step) => !finished.has(step)) ?? 'cleanup',
    isPast: move !== null && move.trigger === 'manual' && move.at > (summary.finishedAt ?? ''),
    failure: hasFailed && depth === 'steps' ? await failureOf(db, summary.id) : null,
    job: jobFactsOf(seen, task, summary),
  };
}

async function failureOf(db: Reader, runId: string): Promise<RunFacts['failure']> {
  const events = await listEvents(db, { runId, type: ['agent.failed'] });
  const last = events.findLast((event) => event.type === 'agent.failed');
  return last?.data.failure ?? null;
}

function jobFactsOf({ jobs, queue }: Seen, { projectId }: Task, { id, agentType }: RunSummary): JobFacts | null {
  const job = jobs.get(id);
  if (job === undefined) return null;
  const limit = queue.limits.get(job.account === '' ? agentType : job.account) ?? null;
  const pause = queue.isPaused ? 'all' : queue.paused.has(projectId) ? 'project' : null;
  return { ...job, limit, pause, workers: queue.workers.length, unmet: whyUnmet(job.labels, queue.workers) };
}
