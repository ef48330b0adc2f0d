import { resultOf, type RunContext, type StepOutcome, type StepResults } from '../run-context/run-context.ts';
import { judgeEnd } from './05-monitor.ts';
import { agentOf } from './agent-of-run.ts';
import { commitLeftovers } from './commit-leftovers.ts';
import { exchangeWithAgent } from './exchange.ts';
import { beyondStage } from './stage-limit.ts';

type Validated = StepResults['validate'];

/** What a stage may not change and has changed all the same, by whatever means, is put back in one turn of the agent's. */
export async function keepToStage(context: RunContext, valid: Validated): Promise<StepOutcome<Validated>> {
  const beyond = await beyondStage(context, valid.head);
  const agent = beyond.length === 0 ? null : await agentOf(context);
  if (beyond.length === 0 || agent?.say === undefined) return judgeStage(context, { result: valid });
  const { head } = resultOf(context, 'prepare').worktree;
  const talk = await exchangeWithAgent(context, {
    inputKey: 'repair:stage',
    maxToolRounds: 20,
    prompt: `${say(beyond)} Put those files back as they were in ${head}, keep the rest, then report the outcome again. You have this one turn.`,
  });
  const { tokenUsage } = talk.result;
  const failure = judgeEnd(talk);
  if (failure !== null) return { failure, run: { tokenUsage } };
  const committed = await commitLeftovers(context, context.task.title);
  if (!committed.ok) return { failure: { code: 'environment', message: committed.error.message } };
  const kept = {
    ...valid,
    head: committed.value,
    talk: { ...valid.talk, result: { ...valid.talk.result, tokenUsage } },
  };
  return judgeStage(context, { result: kept, run: { tokenUsage } });
}

/** Work that goes beyond its stage fails the run: nobody is asked to look at it as if it were the stage's. */
export async function judgeStage(context: RunContext, judged: StepOutcome<Validated>): Promise<StepOutcome<Validated>> {
  if (judged.result === undefined) return judged;
  const beyond = await beyondStage(context, judged.result.head);
  if (beyond.length === 0) return judged;
  const { result: _result, ...rest } = judged;
  return { ...rest, failure: { code: 'checks_failed', message: say(beyond) } };
}

const MOST = 5;

function say(beyond: ReadonlyArray<string>): string {
  const more = beyond.length > MOST ? `; and ${beyond.length - MOST} more` : '';
  return `The work goes beyond its stage: ${beyond.slice(0, MOST).join('; ')}${more}.`;
}
