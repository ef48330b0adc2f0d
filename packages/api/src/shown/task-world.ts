import type { LiveDelta, PlatformEvent } from '@attractor/platform';
import { foldDelta, type LiveText, NO_LIVE_TEXT, settleLiveText } from '../views/live-text.ts';
import { emptyRunView, type RunView, runView } from '../views/run.ts';
import { taskView, type TaskView } from '../views/task.ts';

/** What arrived of the log at once: the events of a batch come before its live text. */
export type LiveBatch = { readonly events: ReadonlyArray<PlatformEvent>; readonly deltas: ReadonlyArray<LiveDelta> };

/** A task, its runs and the current live text: what both the task's and the run's screen show. */
export type TaskWorld = {
  readonly task: TaskView;
  /** As it was before somebody deleted it; null while it is there. */
  readonly last: TaskView | null;
  readonly runs: Readonly<Record<string, RunView>>;
  readonly live: Readonly<Record<string, LiveText>>;
};

export function foldWorld(world: TaskWorld, { events, deltas }: LiveBatch): TaskWorld {
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
