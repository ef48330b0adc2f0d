import { done } from '@attractor/base';
import { isCancelled } from '@attractor/facts';
import { moveTo, withdrawPrompts } from '@attractor/pipeline';
import { type Actor, refuse, type Result, type Store, type Task, updateTask } from '@attractor/store';
import { recordMove } from './reopen.ts';
import { findTaskAndPipeline } from './tasks.ts';

export type CloseCommand = { readonly taskId: string; readonly reason?: string };

type By = { readonly actor: Actor; readonly defaultAgentType: string };

/**
 * Ends a task without its work: along the pipeline while it is open, and also where its work was accepted and nobody wants it any more. The
 * branch stays, and reopening takes the task back.
 */
export function closeTask(store: Store, { taskId, reason }: CloseCommand, by: By): Promise<Result<Task>> {
  return store.transact(async (tx) => {
    const found = await findTaskAndPipeline(tx, taskId);
    if (!found.ok) return found;
    const { task, pipeline } = found.value;
    const to = pipeline.terminalStatuses.find(isCancelled);
    if (to === undefined)
      return refuse(
        'blocked',
        `The pipeline "${pipeline.id}" has no status for work that was given up: merge it, or reopen it.`,
      );
    if (task.status === to) return done(task);
    if (!pipeline.terminalStatuses.includes(task.status)) {
      const cause = { trigger: { type: 'manual' } as const, reason: reason ?? 'close', ...by };
      return moveTo(tx, { task, pipeline, to }, cause);
    }
    const moved = await updateTask(tx, task, { status: to });
    if (moved === null) return refuse('conflict', 'The task was changed by someone else at the same time: try again.');
    const way = { id: 'close', summary: `Closed without merging: ${task.status} → ${to}` };
    await recordMove(tx, { task, moved, reason: reason ?? null, actor: by.actor, way });
    await withdrawPrompts(tx, { taskId, only: () => true }, { projectId: task.projectId, actor: by.actor });
    return done(moved);
  });
}
