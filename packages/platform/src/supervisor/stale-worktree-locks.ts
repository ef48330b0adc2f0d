import { appendEvents, findRun } from '@attractor/store';
import { unlockWorktree } from '@attractor/repository';
import type { Finding } from './findings.ts';
import { type Check, finding, findingEvent } from './check.ts';
import { listOurWorktrees } from './our-worktrees.ts';

/** Unlocks a worktree that is locked for a run which has ended. Locks that people made are left alone. */
export const staleWorktreeLocks: Check = async ({ store, home }) => {
  const findings: Finding[] = [];
  for (const { lock, path, repository, project, taskId } of await listOurWorktrees(store, home)) {
    const runId = lockedFor(lock);
    if (runId === null) continue;
    const run = await findRun(store.read, runId);
    // A run that this database never knew may belong to another one that shares the repository.
    if (run === null || run.status === 'running') continue;
    await unlockWorktree(repository, path);
    const summary = `The worktree ${path} was still locked for a run that has ended`;
    const subject = { projectId: project.id, taskId, runId };
    await store.transact((tx) =>
      appendEvents(tx, [findingEvent(subject, { type: 'supervisor.lock_removed', summary })]),
    );
    findings.push(finding('stale-worktree-locks', subject, summary));
  }
  return findings;
};

/** The run that a lock of ours names. */
export function lockedFor(lock: string | null): string | null {
  return /^attractor (run_[0-9a-z]+) for task /.exec(lock ?? '')?.[1] ?? null;
}
