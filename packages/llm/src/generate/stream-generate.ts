import { generateResult } from './generate.ts';
import type { GenerateOptions } from './options.ts';
import type { GenerateResult } from './result.ts';
import { runSteps } from './steps.ts';
import { streamResult } from './stream-result.ts';
import type { StreamResult } from './stream-result.ts';

/** `generate` as a stream. */
export function streamGenerate(options: GenerateOptions): StreamResult<GenerateResult> {
  return streamResult(runSteps(options), (steps) => generateResult(options, steps));
}
