import { resultOf, type RunContext, type StepOutcome, type StepResults } from '../runs/run-context.ts';
import { talkToAgent } from './talk.ts';

/** Lets the agent work. After a crash the agent continues the same conversation; what it reported before is already stored. */
export async function execute(context: RunContext): Promise<StepOutcome<StepResults['execute']>> {
  const talk = await talkToAgent(context, { prompt: resultOf(context, 'context').prompt });
  return { result: talk, run: { tokenUsage: talk.result.tokenUsage } };
}
