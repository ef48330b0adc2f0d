import { readChange } from '@attractor/bundle';
import { commitOf, diffBetween, type TaskDiff } from '@attractor/repository';
import { findRun, refuse, type Result } from '@attractor/store';
import { onPlace, type ScmOptions } from './on-place.ts';

/** What one run changed, whatever became of it. */
export async function runDiff(options: ScmOptions, runId: string): Promise<Result<TaskDiff>> {
  const run = await findRun(options.store.read, runId);
  if (run === null) return refuse('not_found', `There is no run ${runId}.`);
  return onPlace(options, { taskId: run.taskId }, async (project, place) => {
    const { branch, baseBranch, startCommit, headCommit } = await readChange({ store: options.store, run });
    if (startCommit === null || headCommit === null)
      return refuse('not_found', 'The run has changed nothing: it has not begun to work.');
    for (const commit of [startCommit, headCommit])
      if ((await commitOf(project.repository, commit)) === null)
        return refuse('not_found', `The commit ${commit.slice(0, 12)} is not in ${project.repository.root} any more.`);
    const on = { branch: branch ?? place.branch, baseBranch: baseBranch ?? place.baseBranch };
    return diffBetween(project, { ...on, from: startCommit, to: headCommit });
  });
}
