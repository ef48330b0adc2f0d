import type { GenerateOptions } from './options.ts';
import { resultOf } from './result.ts';
import type { GenerateResult, StepResult } from './result.ts';
import { runSteps } from './steps.ts';

/**
 * Asks a model, runs the tools it calls and asks again, at most `maxToolRounds` times. Rejects with `LlmError`. `output` is the parsed JSON
 * if `responseFormat` asked for JSON and the answer is JSON.
 */
export async function generate(options: GenerateOptions): Promise<GenerateResult> {
  const steps: StepResult[] = [];
  for await (const event of runSteps(options)) {
    if (event.kind === 'ERROR') throw event.error;
    if (event.kind === 'STEP_FINISH') steps.push(event.step);
  }
  return generateResult(options, steps);
}

export function generateResult(options: GenerateOptions, steps: ReadonlyArray<StepResult>): GenerateResult {
  const wantsJson = options.responseFormat !== undefined && options.responseFormat.type !== 'text';
  return resultOf(steps, wantsJson ? parsedOrUndefined(steps.at(-1)?.text ?? '') : undefined);
}

function parsedOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
