import {
  emptyRunView,
  foldDelta,
  NO_LIVE_TEXT,
  runView,
  settleLiveText,
  taskView,
  type Answer,
  type LiveText,
  type PlatformEvent,
  type RunView,
  type TaskView,
} from '@attractor/api';
import { api } from './api.ts';
import type { LiveBatch } from './live.ts';
import type { LiveSource } from './use-live.ts';

/** A task, its runs and the current live text: what both the task's and the run's screen show. */
export type TaskWorld = {
  readonly task: TaskView;
  /** As it was before somebody deleted it; null while it is there. */
  readonly last: TaskView | null;
  readonly runs: Readonly<Record<string, RunView>>;
  readonly live: Readonly<Record<string, LiveText>>;
};

export function taskWorldSource(taskId: string): LiveSource<TaskWorld> {
  return {
    name: `task ${taskId}`,
    load: () => loadWorld(taskId),
    query: { taskId },
    // The runs were read after the task, so they know at least as much; they ignore what they already know.
    readTo: (world) => world.task.seq,
    fold: foldWorld,
  };
}

async function loadWorld(taskId: string): Promise<Answer<TaskWorld>> {
  const task = await api.tasks.view(taskId);
  if (!task.ok) return task;
  const runs = await Promise.all(task.value.runs.map(({ run }) => api.runs.view(run.id)));
  const failed = runs.find((run) => !run.ok);
  if (failed !== undefined && !failed.ok) return failed;
  const known = runs.flatMap((run) => (run.ok ? [[run.value.runId, run.value] as const] : []));
  return { ok: true, value: { task: task.value, last: null, runs: Object.fromEntries(known), live: {} } };
}

/** Events of a batch come before its live text. */
function foldWorld(world: TaskWorld, { events, deltas }: LiveBatch): TaskWorld {
  const runs = { ...world.runs };
  const live = { ...world.live };
  for (const [runId, own] of byRun(events)) {
    runs[runId] = runView.foldAll(runs[runId] ?? emptyRunView(runId), own);
    live[runId] = own.reduce(settleLiveText, live[runId] ?? NO_LIVE_TEXT);
  }
  for (const delta of deltas) live[delta.runId] = foldDelta(live[delta.runId] ?? NO_LIVE_TEXT, delta);
  const task = taskView.foldAll(world.task, events);
  return { task, last: task.task === null ? (world.last ?? world.task) : null, runs, live };
}

function byRun(events: ReadonlyArray<PlatformEvent>): Map<string, PlatformEvent[]> {
  const groups = new Map<string, PlatformEvent[]>();
  for (const event of events) {
    if (event.runId === null) continue;
    const group = groups.get(event.runId) ?? [];
    group.push(event);
    groups.set(event.runId, group);
  }
  return groups;
}
