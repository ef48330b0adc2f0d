import { isCancelled } from '@attractor/facts';
import { findPipeline, type Reader, type Split, type Task, tasksOfIds, workArtifacts } from '@attractor/store';

/**
 * How a subtask stands, for the task that waits for it. `merged`, `done` (it had no work to merge), `closed` and `gone` are settled;
 * `accepted` work is not on its base yet.
 */
export type SubtaskStanding = 'open' | 'accepted' | 'merged' | 'done' | 'closed' | 'gone';

export type StandingSubtask = {
  readonly id: string;
  readonly key: string;
  readonly title: string;
  /** Null if it was deleted. */
  readonly task: Task | null;
  readonly standing: SubtaskStanding;
};

const UNSETTLED: ReadonlySet<SubtaskStanding> = new Set(['open', 'accepted']);

export function isSettled({ standing }: Pick<StandingSubtask, 'standing'>): boolean {
  return !UNSETTLED.has(standing);
}

/** Ended without what it was made for. */
export function isMissing({ standing }: Pick<StandingSubtask, 'standing'>): boolean {
  return standing === 'closed' || standing === 'gone';
}

/** The subtasks of a split, in its order. */
export async function readSubtasks(
  db: Reader,
  { subtasks }: Pick<Split, 'subtasks'>,
): Promise<ReadonlyArray<StandingSubtask>> {
  const ids = subtasks.map(({ taskId }) => taskId);
  const tasks = new Map<string, Task>((await tasksOfIds(db, ids)).map((task) => [task.id, task]));
  const artifacts = await workArtifacts(db, ids);
  const standing: StandingSubtask[] = [];
  for (const { taskId, key, title } of subtasks) {
    const task = tasks.get(taskId) ?? null;
    const of = { id: taskId, key, title: task?.title ?? title, task };
    standing.push({ ...of, standing: await standingOf(db, task, artifacts.get(taskId) ?? []) });
  }
  return standing;
}

type Work = Awaited<ReturnType<typeof workArtifacts>> extends ReadonlyMap<string, infer Own> ? Own : never;

async function standingOf(db: Reader, task: Task | null, work: Work): Promise<SubtaskStanding> {
  if (task === null) return 'gone';
  const pipeline = await findPipeline(db, task.pipelineId, task.pipelineVersion);
  if (pipeline?.terminalStatuses.includes(task.status) !== true) return 'open';
  const { state, revertCommit } = work.findLast(({ type }) => type === 'pull_request')?.metadata ?? {};
  if (state === 'merged') return typeof revertCommit === 'string' && revertCommit !== '' ? 'closed' : 'merged';
  if (isCancelled(task.status)) return 'closed';
  return work.length === 0 ? 'done' : 'accepted';
}
