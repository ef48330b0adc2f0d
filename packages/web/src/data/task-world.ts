import type { Answer } from '@attractor/api';
import { foldWorld, type TaskWorld } from '@attractor/api/shown';
import { api } from './api.ts';
import type { LiveSource } from './use-live.ts';

export function taskWorldSource(taskId: string): LiveSource<TaskWorld> {
  return {
    name: `task ${taskId}`,
    load: () => loadWorld(taskId),
    query: { taskId },
    // Runs ignore what they already know.
    readTo: (world) => world.task.seq,
    fold: foldWorld,
  };
}

/** The runs are read after the task, so they know at least as much. */
async function loadWorld(taskId: string): Promise<Answer<TaskWorld>> {
  const task = await api.tasks.view(taskId);
  if (!task.ok) return task;
  const runs = await Promise.all(task.value.runs.map(({ run }) => api.runs.view(run.id)));
  const failed = runs.find((run) => !run.ok);
  if (failed !== undefined && !failed.ok) return failed;
  const known = runs.flatMap((run) => (run.ok ? [[run.value.runId, run.value] as const] : []));
  return { ok: true, value: { task: task.value, last: null, runs: Object.fromEntries(known), live: {} } };
}
