import type { Result } from '@attractor/store';
import { commitAll } from '@attractor/repository';
import { type AgentExchange, resultOf, type RunContext } from '../run-context/run-context.ts';
import { agentOf } from './agent-of-run.ts';
import { exchangeWithAgent } from './exchange.ts';

/**
 * Commits what the agent left uncommitted, if configured. Returns the commit that is then checked out. `unfinished`: as much of it as can be
 * committed.
 */
export function commitLeftovers(
  context: RunContext,
  message: string,
  how: 'finished' | 'unfinished' = 'finished',
): Promise<Result<string>> {
  const { autoCommit } = resultOf(context, 'configure').config;
  const { worktree, overlooked } = resultOf(context, 'prepare');
  return commitAll(worktree.path, {
    message,
    began: worktree.head,
    branch: worktree.branch,
    overlooked,
    runId: context.state.run.id,
    author: context.services.author,
    isWanted: autoCommit !== false,
    isWhole: how === 'finished',
    beforeChange: context.look,
  });
}

/** The same. What the agent left half done it is told once, since nobody else knows what it had in mind. `talk` null: it was not told. */
export async function commitOrAsk(
  context: RunContext,
  message: string,
): Promise<{ readonly committed: Result<string>; readonly talk: AgentExchange | null }> {
  const committed = await commitLeftovers(context, message);
  const agent = committed.ok || committed.error.code !== 'conflict' ? null : await agentOf(context);
  if (committed.ok || agent?.say === undefined) return { committed, talk: null };
  const talk = await exchangeWithAgent(context, {
    inputKey: 'repair:commit',
    maxToolRounds: 20,
    prompt: `Your work can't be taken as it is. ${committed.error.message} Keep all of your work, then report the outcome again. You have this one turn.`,
  });
  return { committed: await commitLeftovers(context, message), talk };
}
