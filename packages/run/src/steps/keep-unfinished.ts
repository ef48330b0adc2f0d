import { existsSync } from 'node:fs';
import { hasWork } from '@attractor/repository';
import { findAttempt, type NewArtifact } from '@attractor/store';
import type { RunContext } from '../run-context/run-context.ts';
import { putBackChecks } from './check-work.ts';
import { collectChange } from './collect-change.ts';
import { commitLeftovers } from './commit-leftovers.ts';

/**
 * What a run did that was stopped or failed is known as the task's: it is on its branch as work in progress, and can be looked at, undone,
 * continued and merged. Attempts are judged as they ended. Best effort: what can't be committed stays in the worktree.
 */
export async function keepUnfinished(context: RunContext): Promise<ReadonlyArray<NewArtifact>> {
  const { run, results } = context.state;
  if (run.mode !== 'implement' || results.prepare === undefined || results.configure === undefined) return [];
  if ((await findAttempt(context.services.store.read, run.id)) !== null) return [];
  const { worktree } = results.prepare;
  if (!existsSync(worktree.path)) return [];
  await putBackChecks(context);
  const head = await commitLeftovers(context, `Work in progress: ${context.task.title}`, 'unfinished');
  if (!head.ok || !(await hasWork(worktree, head.value))) return [];
  return (await collectChange(context, head.value)).artifacts;
}
