import type { PipelineStatus, Task } from '@attractor/platform';
import { type Pipelines, statusesOf } from './task-status.ts';

/** The statuses that the pipelines of all these tasks have, besides one where all of them are already. */
export function sharedStatuses(tasks: ReadonlyArray<Task>, pipelines: Pipelines): ReadonlyArray<PipelineStatus> {
  const [first, ...others] = tasks.map((task) => statusesOf(task, pipelines));
  if (first === undefined) return [];
  return first
    .filter(({ id }) => others.every((statuses) => statuses.some((status) => status.id === id)))
    .filter(({ id }) => tasks.some(({ status }) => status !== id))
    .toSorted((a, b) => a.position - b.position);
}
