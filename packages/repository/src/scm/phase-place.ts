import { done } from '@attractor/base';
import { listPhases, type Reader, type Result } from '@attractor/store';
import type { Repository } from '../git/repository.ts';
import { ensureBranch, phaseBranchName } from './task-branch.ts';

export type Branches = { readonly branch: string; readonly baseBranch: string };

/** Where a run works: on the task's branch or, for a phase, on a separate branch based on the task's. */
export async function branchesOfRun(
  db: Reader,
  run: {
    readonly taskId: string;
    readonly hookParams: Readonly<Record<string, unknown>>;
    readonly repository: Repository;
  },
  task: Branches,
): Promise<Result<Branches>> {
  const phase = (await listPhases(db, run.taskId)).find(({ id }) => id === run.hookParams['phaseId']);
  if (phase === undefined) return done(task);
  const made = await ensureBranch(run.repository, task);
  return made.ok ? done({ branch: phaseBranchName(task.branch, phase), baseBranch: task.branch }) : made;
}
