import { existsSync } from 'node:fs';
import { appendEvents } from '../store/events.ts';
import { findPipeline } from '../store/pipelines.ts';
import { listRuns } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { findTask } from '../store/tasks.ts';
import { withRepoLock } from '../worktrees/repo-lock.ts';
import { git } from '../worktrees/repository.ts';
import { rescueLeftovers } from '../worktrees/rescue.ts';
import type { Finding } from '../workflow-supervise.ts';
import { type Check, finding, told, type Watch } from './check.ts';
import { listOurWorktrees, type OurWorktree } from './our-worktrees.ts';

/** Removes the worktrees of tasks that have ended, and of tasks that were deleted, once nobody needs them. */
export const finishedWorktrees: Check = (watch) => removeFinished(watch, watch.settings.keepWorktreesMs);

export async function removeFinished(watch: Watch, keepMs: number): Promise<ReadonlyArray<Finding>> {
  const findings: Finding[] = [];
  for (const worktree of await listOurWorktrees(watch.store, watch.home)) {
    const why = worktree.lock === null ? await whyRemovable(watch.store, worktree.taskId, keepMs) : null;
    const found = why === null ? null : await unlessGone(worktree, () => remove(watch, worktree, why));
    if (found !== null) findings.push(found);
  }
  return findings;
}

/** Null while it is needed, and where this database can't know: the folder may be of another one that shares the repository. */
async function whyRemovable({ read }: Store, taskId: string, keepMs: number): Promise<string | null> {
  const task = await findTask(read, taskId);
  if (task === null) return (await wasDeleted(read, taskId)) ? 'its task was deleted' : null;
  const pipeline = await findPipeline(read, task.pipelineId, task.pipelineVersion);
  if (pipeline === null || !pipeline.terminalStatuses.includes(task.status)) return null;
  if ((await listRuns(read, { taskId, status: 'running' })).length > 0) return null;
  return Date.now() - Date.parse(task.updatedAt) >= keepMs ? `its task is "${task.status}"` : null;
}

async function wasDeleted(read: Store['read'], taskId: string): Promise<boolean> {
  const row = await read
    .selectFrom('events')
    .select('seq')
    .where('task_id', '=', taskId)
    .where('type', '=', 'task.deleted')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** A person may remove the folder, or the whole repository, while it is looked at: then there is nothing left to do. */
async function unlessGone(
  { path, repository }: OurWorktree,
  work: () => Promise<Finding | null>,
): Promise<Finding | null> {
  try {
    return await work();
  } catch (error) {
    if (existsSync(path) && existsSync(repository.gitFolder)) throw error;
    return null;
  }
}

/** Nothing is lost: commits stay on their branch or under a rescue ref, and so does what lies uncommitted. Else the folder stays. */
function remove({ author, store }: Watch, worktree: OurWorktree, why: string): Promise<Finding | null> {
  const { repository, path, taskId, head, project } = worktree;
  return withRepoLock(repository.gitFolder, async () => {
    const rescued = await rescueLeftovers(repository, {
      folder: path,
      taskId,
      parent: head,
      author,
      mayBeLost: true,
    });
    if (!rescued.ok || rescued.value.embedded.length > 0) return null;
    const removed = await git(['worktree', 'remove', '--force', '--', path], { cwd: repository.root });
    if (!removed.ok) return null;
    const { ref } = rescued.value;
    const kept = ref === null ? '' : `; what was not committed is kept as ${ref}`;
    const summary = `The worktree ${path} was removed: ${why}${kept}`;
    // The records of a deleted task are gone; only the project is left to tell it to.
    const known = (await findTask(store.read, taskId)) === null ? null : taskId;
    const subject = { projectId: project.id, taskId: known, runId: null };
    const data = { path, ref, taskId };
    await store.transact((tx) =>
      appendEvents(tx, [told(subject, { type: 'supervisor.worktree_removed', summary, data })]),
    );
    return finding('finished-worktrees', subject, summary);
  });
}
