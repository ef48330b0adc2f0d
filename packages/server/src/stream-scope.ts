import { concernsInbox, concernsTaskList, type StreamQuery } from '@attractor/api';
import { defined } from '@attractor/base';
import type { EventFilter, LiveDelta, PlatformEvent } from '@attractor/platform';

/** What one viewer wants of the log. Viewers with the same `key` want the same. */
export type StreamScope = {
  readonly key: string;
  /** For what is read from the store. */
  readonly filter: EventFilter;
  readonly wants: (event: PlatformEvent) => boolean;
  readonly wantsLive: (delta: LiveDelta) => boolean;
};

/** `projects`: those that the viewer may see; null: all. */
export function streamScope(query: StreamQuery, projects: ReadonlyArray<string> | null): StreamScope {
  const { taskId, runId, projectId, only } = query;
  const concerns = only === undefined ? null : CONCERNS[only];
  return {
    key: JSON.stringify([taskId, runId, projectId, only, projects]),
    filter: defined({ taskId, runId, projectId }),
    wants: (event) =>
      isIn(taskId, event.taskId) &&
      isIn(runId, event.runId) &&
      isIn(projectId, event.projectId) &&
      (projects === null || projects.includes(event.projectId)) &&
      (concerns === null || concerns(event)),
    wantsLive: (delta) =>
      only === undefined && projectId === undefined && isIn(taskId, delta.taskId) && isIn(runId, delta.runId),
  };
}

const CONCERNS = { tasks: concernsTaskList, inbox: concernsInbox };

function isIn(wanted: string | undefined, place: string | null): boolean {
  return wanted === undefined || wanted === place;
}
