import { defined } from '@attractor/base';
import {
  type BranchUpdate,
  commitOf,
  fetchBranch,
  newestBase,
  noteUpdate,
  type OfTask,
  type ProjectGit,
  type TaskPlace,
  updateBranch,
} from '@attractor/repository';
import { type Actor, appendEvents, refuse, type ReportedEvent, type Result } from '@attractor/store';
import { onPlace, type ScmOptions } from './on-place.ts';
import { refuseAtWork } from '../tasks/at-work.ts';

/** Brings the branch up to date with its base, and says in the log what came of it. */
export async function rebase(options: ScmOptions, of: OfTask, actor: Actor): Promise<Result<BranchUpdate>> {
  return onPlace(options, of, (project, place) => bringUpToDate(options, { project, place, actor }));
}

type Update = {
  readonly project: ProjectGit;
  readonly place: TaskPlace;
  readonly actor: Actor;
  readonly onConflict?: 'mark';
};

export async function bringUpToDate(
  options: ScmOptions,
  { project, place, actor, onConflict }: Update,
): Promise<Result<BranchUpdate>> {
  const { repository, remote, talk } = project;
  const { task, branch, baseBranch } = place;
  const atWork = await refuseAtWork(options.store.read, task.id);
  if (atWork !== null) return atWork;
  if (remote !== null) {
    const fetched = await fetchBranch({ repository, remote, branch: baseBranch, talk });
    if (!fetched.ok) return fetched;
  }
  const base = await newestBase(project, baseBranch);
  if (base === null) return refuse('not_found', `There is no branch "${baseBranch}" in ${repository.root}.`);
  const pushed = remote !== null && (await commitOf(repository, `refs/remotes/${remote.name}/${branch}`)) !== null;
  const request = { repository, branch, base, baseBranch, pushed, author: options.author };
  const updated = await updateBranch({ ...request, ...defined({ onConflict }) });
  await tellUpdate(options, place, { updated, actor, base });
  return updated;
}

async function tellUpdate(
  { store }: ScmOptions,
  { task, branch, baseBranch }: TaskPlace,
  { updated, actor, base }: { readonly updated: Result<BranchUpdate>; readonly actor: Actor; readonly base: string },
): Promise<void> {
  const about = { projectId: task.projectId, taskId: task.id, actor };
  await store.transact(async (tx) => {
    const event: ReportedEvent = updated.ok
      ? {
          type: 'branch.updated',
          summary: `${branch}: ${updated.value.how} with ${baseBranch}`,
          data: {
            branch,
            ...updated.value,
            ...(await noteUpdate(tx, { taskId: task.id, branch, base, ...updated.value })),
          },
        }
      : {
          type: 'branch.conflicted',
          summary: updated.error.message,
          data: { branch, detail: updated.error.detail ?? null },
        };
    await appendEvents(tx, [{ ...about, ...event }]);
  });
}
