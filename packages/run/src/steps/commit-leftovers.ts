import type { Result } from '@attractor/store';
import { commitAll } from '@attractor/repository';
import { resultOf, type RunContext } from '../run-context/run-context.ts';

/** Commits what the agent left uncommitted, if configured. Returns the commit that is then checked out. */
export function commitLeftovers(context: RunContext, message: string): Promise<Result<string>> {
  const { autoCommit } = resultOf(context, 'configure').config;
  const { worktree } = resultOf(context, 'prepare');
  return commitAll(worktree.path, {
    message,
    began: worktree.head,
    runId: context.state.run.id,
    author: context.services.author,
    isWanted: autoCommit !== false,
    beforeChange: context.look,
  });
}
