import { resultOf, type RunContext, type StepOutcome, type StepResults } from '../runs/run-context.ts';
import { talkToAgent } from './talk.ts';

/** Lets the agent work. After a crash the agent goes on in the same conversation; what it told before is stored already. */
export async function execute(context: RunContext): Promise<StepOutcome<StepResults['execute']>> {
  const talk = await talkToAgent(context, { prompt: resultOf(context, 'context').prompt });
  return { result: talk, run: { tokenUsage: talk.result.tokenUsage } };
}
