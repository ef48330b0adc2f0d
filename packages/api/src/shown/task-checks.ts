import type { CheckResult } from '@attractor/platform';
import type { TaskWorld } from './task-world.ts';

/** The checks of the newest run that has any. */
export function latestChecks(world: TaskWorld): ReadonlyArray<CheckResult> {
  const ids = world.task.runs.map(({ run }) => run.id).toReversed();
  return ids.map((id) => world.runs[id]?.checks ?? []).find((checks) => checks.length > 0) ?? [];
}
