import { LlmError } from '../types/error.ts';
import { asLlmError } from './failure.ts';
import { planObject } from './object-plan.ts';
import type { ObjectOptions } from './object-plan.ts';
import { partialJsonReader } from './partial-json.ts';
import { readObject } from './read-object.ts';
import type { GenerateResult } from './result.ts';
import { runSteps } from './steps.ts';
import type { GenerateEvent } from './steps.ts';
import { streamResult } from './stream-result.ts';

/**
 * Objects as they grow: each is the object as far as it is certain, none is validated.
 * `response()` returns the whole, valid one. A failure ends the loop with `LlmError`, and rejects `response()` too.
 */
export type ObjectStream = AsyncIterable<unknown> & { readonly response: () => Promise<GenerateResult> };

/** Requests an object of a schema and returns it while it grows. */
export function streamObject(options: ObjectOptions): ObjectStream {
  const stream = streamResult(objectSteps(options), (steps) => readObject(steps, options.schema));
  return {
    [Symbol.asyncIterator]: () => partialObjects(stream, stream.response),
    response: stream.response,
  };
}

async function* objectSteps(options: ObjectOptions): AsyncGenerator<GenerateEvent, void> {
  const plan = await planObject(options).catch(asLlmError);
  if (plan instanceof LlmError) yield { kind: 'ERROR', error: plan };
  else yield* runSteps(plan);
}

async function* partialObjects(
  events: AsyncIterable<GenerateEvent>,
  whole: () => Promise<unknown>,
): AsyncGenerator<unknown, void> {
  const reader = partialJsonReader();
  for await (const event of events) {
    const text = event.kind === 'TEXT_DELTA' ? event.text : event.kind === 'TOOL_CALL_DELTA' ? event.argsDelta : '';
    if (reader.push(text)) yield reader.value();
  }
  await whole();
}
