import type { TaskState } from '@attractor/api';

const OVER: ReadonlySet<TaskState['kind'] | undefined> = new Set(['merged', 'closed']);

/** No agent would read what is said of its task any more, or try it. */
export function isOver(state: TaskState | undefined): boolean {
  return OVER.has(state?.kind);
}
