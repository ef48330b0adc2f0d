import { appendEvents, findTask } from '@attractor/store';
import { git, rescueLeftovers, withRepoLock } from '@attractor/repository';
import type { Finding } from './findings.ts';
import { type Check, finding, findingEvent, type SupervisorContext } from './check.ts';
import { whyEnded } from './ended-tasks.ts';
import { listOurWorktrees, type OurWorktree, whileThere } from './our-worktrees.ts';

/** Removes the worktrees of tasks that ended or were deleted, once nobody needs them. */
export const finishedWorktrees: Check = (watch) => removeFinished(watch, watch.settings.keepWorktreesMs);

export async function removeFinished(watch: SupervisorContext, keepMs: number): Promise<ReadonlyArray<Finding>> {
  const findings: Finding[] = [];
  for (const worktree of await listOurWorktrees(watch.store, watch.home)) {
    const why = worktree.lock === null ? await whyEnded(watch.store.read, worktree.taskId, keepMs) : null;
    const found = why === null ? null : await whileThere(foldersOf(worktree), () => remove(watch, worktree, why));
    if (found !== null) findings.push(found);
  }
  return findings;
}

function foldersOf({ path, repository }: OurWorktree): ReadonlyArray<string> {
  return [path, repository.gitFolder];
}

/**
 * Nothing is lost: commits stay on their branch or under a rescue ref, and so do uncommitted changes. If that is not possible the folder
 * stays.
 */
function remove({ author, store }: SupervisorContext, worktree: OurWorktree, why: string): Promise<Finding | null> {
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
    const kept = ref === null ? '' : `; uncommitted work is kept as ${ref}`;
    const summary = `The worktree ${path} was removed: ${why}${kept}`;
    // The records of a deleted task are gone; the event can only name the project.
    const known = (await findTask(store.read, taskId)) === null ? null : taskId;
    const subject = { projectId: project.id, taskId: known, runId: null };
    const data = { path, ref, taskId };
    await store.transact((tx) =>
      appendEvents(tx, [findingEvent(subject, { type: 'supervisor.worktree_removed', summary, data })]),
    );
    return finding('finished-worktrees', subject, summary);
  });
}
