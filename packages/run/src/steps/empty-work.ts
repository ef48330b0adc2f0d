import { withoutMarkers } from '@attractor/pipeline';
import { git, haveSameFiles } from '@attractor/repository';
import { resultOf, type AgentExchange, type RunContext } from '../run-context/run-context.ts';
import { agentOf } from './agent-of-run.ts';
import { exchangeWithAgent } from './exchange.ts';
import { type Found, readOutcome } from './read-outcome.ts';

/** Whether the branch differs from its base, or something is left uncommitted on purpose. */
export async function hasChange(context: RunContext, head: string): Promise<boolean> {
  const { path, baseCommit } = resultOf(context, 'prepare').worktree;
  if (!(await haveSameFiles(path, baseCommit, head))) return true;
  const dirty = await git(['status', '--porcelain', '--untracked-files=normal'], { cwd: path });
  return !dirty.ok || dirty.value !== '';
}

/** What the agent says once it is told that its branch has no change. Null: it can't be told. */
export async function askForChange(
  context: RunContext,
): Promise<{ readonly talk: AgentExchange; readonly found: Found | null } | null> {
  const agent = await agentOf(context);
  if (agent?.say === undefined) return null;
  const talk = await exchangeWithAgent(context, {
    inputKey: 'repair:empty',
    maxToolRounds: 20,
    prompt: `You reported pr_ready, but your branch has no change compared to its base. If the work is not done, do it now and report again. If nothing has to be changed, report no_change and say why. If you can't go on, report needs_info with your questions.`,
  });
  const reading = readOutcome(context, talk.result);
  return { talk, found: 'found' in reading ? reading.found : null };
}

/** A finished task without a change is what it is: a person decides what becomes of it. */
export function nothingDone(...talks: ReadonlyArray<AgentExchange>): {
  readonly outcome: string;
  readonly payload: unknown;
} {
  const said = talks.map(({ result }) => withoutMarkers(result.finalText)).findLast((text) => text !== '');
  return {
    outcome: 'no_change',
    payload: { reason: said?.slice(0, 4000) ?? 'It reported the work as ready and said no more.' },
  };
}
