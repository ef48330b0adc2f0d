import { LlmError } from '../types/error.ts';
import type { JsonSchema } from '../types/request.ts';
import { schemaProblem } from './json-schema.ts';
import { EXTRACT_TOOL } from './object-plan.ts';
import { resultOf } from './result.ts';
import type { GenerateResult, StepResult } from './result.ts';

/** The object in an answer, validated against its schema. Anything else is `no_object_generated`: asking the same again would not help. */
export async function readObject(steps: ReadonlyArray<StepResult>, schema: JsonSchema): Promise<GenerateResult> {
  const step = steps.at(-1);
  if (step === undefined) throw noObject('there was no answer');
  const found = objectIn(step);
  if ('problem' in found) throw noObject(found.problem, step);
  const problem = await schemaProblem(schema, found.value);
  if (problem !== undefined) throw noObject(`it does not fit the schema: ${problem}`, step);
  return resultOf(steps, found.value);
}

type Found = { readonly value: unknown } | { readonly problem: string };

function objectIn(step: StepResult): Found {
  const call = step.response.message.content.find(
    (part) => part.kind === 'TOOL_CALL' && part.toolName === EXTRACT_TOOL,
  );
  if (call?.kind === 'TOOL_CALL')
    return call.argsError === undefined ? { value: call.args } : { problem: call.argsError };
  const reason = REASONS[step.finishReason.reason];
  if (reason !== undefined) return { problem: reason };
  try {
    return { value: JSON.parse(withoutFence(step.text)) };
  } catch {
    return { problem: step.text.trim() === '' ? 'the answer is empty' : 'the answer is not JSON' };
  }
}

const REASONS: Readonly<Record<string, string | undefined>> = {
  length: 'the answer was cut off at its token limit; raise maxTokens',
  content_filter: 'the provider filtered the answer',
};

/** Models that were only told to call the tool tend to write the object as a fenced block instead. */
function withoutFence(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text;
}

function noObject(problem: string, step?: StepResult): LlmError {
  return new LlmError({
    code: 'no_object_generated',
    message: `The model gave no valid object: ${problem}.`,
    retryable: false,
    raw: step?.response,
    ...(step === undefined ? {} : { provider: step.response.provider }),
  });
}
