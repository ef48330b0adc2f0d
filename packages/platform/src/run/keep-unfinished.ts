import { git } from '@attractor/repository';
import { findAttempt, type NewArtifact } from '@attractor/store';
import type { RunContext, StepFailure } from '../run-context/run-context.ts';
import { collectChange } from './collect-change.ts';
import { commitLeftovers } from './commit-leftovers.ts';

/** A person ended these, and decides what becomes of the work; what another run failed with is put aside for the next. */
const ENDED_BY_PERSON: ReadonlySet<StepFailure['code']> = new Set(['cancelled', 'budget']);

/**
 * What a run did that was stopped or failed is known as the task's: it can be looked at, undone, continued and merged. Stopped, it is on
 * its branch as work in progress. Attempts are judged as they ended. Best effort: what can't be committed stays in the worktree.
 */
export async function keepUnfinished(context: RunContext, { code }: StepFailure): Promise<ReadonlyArray<NewArtifact>> {
  const { run, results } = context.state;
  if (run.mode !== 'implement' || results.prepare === undefined || results.configure === undefined) return [];
  if ((await findAttempt(context.services.store.read, run.id)) !== null) return [];
  const { path: cwd, baseCommit } = results.prepare.worktree;
  const head = ENDED_BY_PERSON.has(code)
    ? await commitLeftovers(context, `Work in progress: ${context.task.title}`)
    : await git(['rev-parse', 'HEAD'], { cwd });
  if (!head.ok || head.value === baseCommit) return [];
  const isSame = (await git(['diff-tree', '-r', '--quiet', baseCommit, head.value], { cwd })).ok;
  return isSame ? [] : (await collectChange(context, head.value)).artifacts;
}
