import { done } from '@attractor/base';
import { refuse } from '../refusal.ts';
import { listArtifacts } from '../store/artifacts.ts';
import { listPhases } from '../store/phases.ts';
import { findProject } from '../store/projects.ts';
import type { Reader } from '../store/store.ts';
import { findTask } from '../store/tasks.ts';
import type { Artifact, Project, Task, TaskPhase } from '../types/index.ts';
import type { Result } from '../workflow-contract.ts';
import type { OfTask } from '../workflow-scm.ts';

/** The branch of a task or of one of its phases, and its pull request: the one that is open, else the last. */
export type TaskPlace = {
  readonly task: Task;
  readonly project: Project;
  readonly phase: TaskPhase | null;
  readonly branch: string;
  readonly baseBranch: string;
  readonly pullRequest: Artifact | null;
};

export async function findPlace(db: Reader, { taskId, phaseId }: OfTask): Promise<Result<TaskPlace>> {
  const task = await findTask(db, taskId);
  const project = task === null ? null : await findProject(db, task.projectId);
  if (task === null || project === null) return refuse('not_found', `There is no task ${taskId}.`);
  const phase = phaseId === undefined ? null : (await listPhases(db, taskId)).find(({ id }) => id === phaseId);
  if (phase === undefined) return refuse('not_found', `The task has no phase ${String(phaseId)}.`);
  const own = (await listArtifacts(db, taskId)).filter((artifact) => artifact.phaseId === (phase?.id ?? null));
  const branch = own.findLast(({ type }) => type === 'branch');
  const requests = own.filter(({ type }) => type === 'pull_request');
  const pullRequest = requests.findLast(isOpenRequest) ?? requests.at(-1) ?? null;
  const { branchName, baseBranch } = branch?.metadata ?? {};
  if (typeof branchName !== 'string')
    return refuse('not_found', 'The task has no branch yet: let an agent implement it first.');
  return done({
    task,
    project,
    phase,
    branch: branchName,
    baseBranch: typeof baseBranch === 'string' ? baseBranch : project.defaultBranch,
    pullRequest,
  });
}

export function isOpenRequest({ type, metadata }: Artifact): boolean {
  return type === 'pull_request' && (metadata['state'] === 'open' || metadata['state'] === 'draft');
}
