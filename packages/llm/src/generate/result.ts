import type { ToolResultPart } from '../types/content.ts';
import { addUsage, NO_USAGE } from '../types/usage.ts';
import { responseReasoning, responseText, responseToolCalls } from '../types/response.ts';
import type { FinishReason, Response, ResponseToolCall } from '../types/response.ts';
import type { Usage } from '../types/usage.ts';

/** One answer of the model and the results of its tools, in the order of the calls. */
export type StepResult = {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: ReadonlyArray<ResponseToolCall>;
  readonly toolResults: ReadonlyArray<ToolResultPart>;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  readonly response: Response;
};

/** The last step at the top, all of them in `steps`. `usage` is the last step's, `totalUsage` the sum of all. */
export type GenerateResult<Output = unknown> = StepResult & {
  readonly totalUsage: Usage;
  readonly steps: ReadonlyArray<StepResult>;
  /** The parsed object, if one was requested. */
  readonly output: Output;
};

export function stepOf(response: Response, toolResults: ReadonlyArray<ToolResultPart>): StepResult {
  return {
    text: responseText(response),
    reasoning: responseReasoning(response),
    toolCalls: responseToolCalls(response),
    toolResults,
    finishReason: response.finishReason,
    usage: response.usage,
    response,
  };
}

export function resultOf<Output>(steps: ReadonlyArray<StepResult>, output: Output): GenerateResult<Output> {
  const last = steps.at(-1);
  if (last === undefined) throw new Error('a generation that ended well has at least one step');
  const totalUsage = steps.reduce((sum, step) => addUsage(sum, step.usage), NO_USAGE);
  return { ...last, totalUsage, steps, output };
}
