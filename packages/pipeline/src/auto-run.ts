import {
  type Actor,
  findProject,
  listRuns,
  type PipelineDefinition,
  type Project,
  type Task,
  type Tx,
} from '@attractor/store';
import { unresolvedDependencies } from './facts.ts';
import { isRunMode } from './run-modes.ts';
import { startRun } from './start-run.ts';

/**
 * Starts the agent that the project's `autoRun` names for the status that the task is in now, unless one works already or the task waits
 * for others.
 */
export async function autoRun(
  tx: Tx,
  {
    task,
    pipeline,
    project,
  }: { readonly task: Task; readonly pipeline: PipelineDefinition; readonly project?: Project },
  by: { readonly actor: Actor; readonly defaultAgentType: string },
): Promise<void> {
  const mode = (project ?? (await findProject(tx, task.projectId)))?.config.autoRun?.[task.status];
  if (!isRunMode(mode) || pipeline.terminalStatuses.includes(task.status)) return;
  if ((await listRuns(tx, { taskId: task.id, status: 'running' })).length > 0) return;
  if ((await unresolvedDependencies(tx, task.id)).length > 0) return;
  await startRun(tx, { task, mode, hookParams: {}, overrides: {}, ...by });
}
