import { RUN_DEFAULTS } from '@attractor/facts';
import type { Artifact, Task } from '@attractor/store';

const SLUG_LENGTH = 40;
const TAIL_LENGTH = 8;

/**
 * The branch the task has, otherwise one from its title and the random tail of its id (ids begin with the time, so their heads are alike).
 */
export function branchName(
  task: Task,
  artifacts: ReadonlyArray<Artifact>,
  prefix: string = RUN_DEFAULTS.branchPrefix,
): string {
  const existing = artifacts.find(({ type, phaseId }) => type === 'branch' && phaseId === null)?.metadata['branchName'];
  if (typeof existing === 'string' && existing !== '') return existing;
  return newBranchName(task, prefix);
}

/** If each run has its own branch, the branch is also named for the run, and no earlier one is reused. */
export function branchOfRun(task: Task, runId: string, prefix: string = RUN_DEFAULTS.branchPrefix): string {
  return `${newBranchName(task, prefix)}-${runId.slice(-TAIL_LENGTH)}`;
}

function newBranchName(task: Task, prefix: string): string {
  return `${prefix}${slug(task.title)}-${task.id.slice(-TAIL_LENGTH)}`;
}

function slug(title: string): string {
  const words = title
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return words === '' ? 'task' : words;
}
