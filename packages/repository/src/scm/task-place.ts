import { done } from '@attractor/base';
import {
  type Artifact,
  findProject,
  findTask,
  listArtifacts,
  listPhases,
  listRuns,
  type Project,
  type Reader,
  refuse,
  type Result,
  type Task,
  type TaskPhase,
} from '@attractor/store';

/** A task, or one phase of it. */
export type OfTask = { readonly taskId: string; readonly phaseId?: string };

/** The branch of a task or of one of its phases, and its pull request: the open one, otherwise the last. */
export type TaskPlace = {
  readonly task: Task;
  readonly project: Project;
  readonly phase: TaskPhase | null;
  readonly branch: string;
  readonly baseBranch: string;
  readonly pullRequest: Artifact | null;
  /** The last work, from the commit of the base that it began from, by our own record; null if there is none. */
  readonly lastWork: { readonly from: string; readonly to: string } | null;
  /** What we brought the branch up to date as since then. */
  readonly updatedTo: string | null;
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
  const { branchName, baseBranch, updatedTo } = branch?.metadata ?? {};
  const { baseCommit, headCommit } = own.findLast(({ type }) => type === 'diff')?.metadata ?? {};
  if (typeof branchName !== 'string') return refuse('blocked', await whyNoBranch(db, task));
  return done({
    task,
    project,
    phase,
    branch: branchName,
    baseBranch: typeof baseBranch === 'string' ? baseBranch : project.defaultBranch,
    pullRequest,
    lastWork:
      typeof baseCommit === 'string' && typeof headCommit === 'string' ? { from: baseCommit, to: headCommit } : null,
    updatedTo: typeof updatedTo === 'string' ? updatedTo : null,
  });
}

/** Work counts as the task's when a run ends with it, however it ends. Other modes leave none. */
async function whyNoBranch(db: Reader, { id, key }: Task): Promise<string> {
  const unfinished = (await listRuns(db, { taskId: id })).find(
    ({ branch, mode }) => branch !== null && mode === 'implement',
  );
  return unfinished === undefined
    ? 'The task has no branch yet: let an agent implement it first.'
    : `No run of the task has ended with a change. ${unfinished.key} worked on ${unfinished.branch ?? ''}: let an agent continue it ("attractor runs start ${key} --mode ${unfinished.mode}").`;
}

/** A pull request that can still be merged. */
export function isOpenRequest({ type, metadata }: Artifact): boolean {
  return type === 'pull_request' && (metadata['state'] === 'open' || metadata['state'] === 'draft');
}
