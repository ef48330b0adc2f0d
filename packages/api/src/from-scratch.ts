import { done, failed, type Result } from '@attractor/base';
import type { Actor, PlatformWorkflow, Refusal } from '@attractor/platform';

const MERGED = failed({
  code: 'blocked',
  message: 'The work is already merged, and a new start would leave it there: take the merge back first.',
} as const);

/**
 * Takes back what was done on a task by a new commit on its branch, which keeps both: an agent that is started then begins where the work
 * began. Nothing, if nothing was done. What the base has stays there.
 */
export async function undoWork(
  workflow: Pick<PlatformWorkflow, 'taskChanges' | 'diff' | 'rollBack'>,
  taskId: string,
  actor: Actor,
): Promise<Result<unknown, Refusal>> {
  const changes = await workflow.taskChanges({ taskId });
  if (!changes.ok) return changes.error.code === 'not_found' ? done(null) : changes;
  if (changes.value.mergedAs !== null) return MERGED;
  const diff = await workflow.diff({ taskId });
  if (!diff.ok) return diff;
  return diff.value.files.length === 0 ? done(null) : workflow.rollBack({ taskId }, actor);
}
