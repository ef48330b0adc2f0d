import { defined } from '@attractor/base';
import { resultOf, type RunContext, type StepOutcome, type StepResults } from '../run-context/run-context.ts';
import { judgeEnd } from './05-monitor.ts';
import { exchangeWithAgent } from './exchange.ts';
import { changesNow } from './follow-person.ts';

/** Lets the agent work. After a crash the agent continues the same conversation; what it reported before is already stored. */
export async function execute(context: RunContext): Promise<StepOutcome<StepResults['execute']>> {
  const talk = await exchangeWithAgent(context, { prompt: resultOf(context, 'context').prompt });
  const { model } = await changesNow(context);
  return { result: talk, endedBy: judgeEnd(talk), run: { tokenUsage: talk.result.tokenUsage, ...defined({ model }) } };
}
