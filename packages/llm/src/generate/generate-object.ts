import { generate } from './generate.ts';
import { planObject } from './object-plan.ts';
import type { ObjectOptions } from './object-plan.ts';
import { readObject } from './read-object.ts';
import type { GenerateResult } from './result.ts';

/** One object that matches `schema`, in `output`. Rejects with `LlmError`; `no_object_generated` is never retried. */
export async function generateObject(options: ObjectOptions): Promise<GenerateResult> {
  const { steps } = await generate(await planObject(options));
  return readObject(steps, options.schema);
}
