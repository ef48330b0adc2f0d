import { isSealFor } from '../../answer/signature.ts';
import { type JsonObject, objectOf, stringOf } from '../../wire/json.ts';
import type { CheckContext, Failure } from '../../protocol.ts';
import { firstOf, invalid } from '../refuse.ts';
import { having, partsOf, roleOf } from './contents.ts';

/** Values that the service itself recommends for histories from elsewhere. */
const PASSES = new Set(['skip_thought_signature_validator', 'context_engineering_is_the_way_to_go']);

/** An existing signature must be ours; whether the first call of each turn must have one is the script's choice. */
export function checkSignatures(
  contents: JsonObject[],
  { model, requireThoughtSignatures }: CheckContext,
): Failure | undefined {
  const current = contents.findLastIndex(
    (content) => roleOf(content) === 'user' && having(partsOf(content), 'functionResponse').length === 0,
  );
  return firstOf(contents, (content, index) => {
    const corrupted = firstOf(partsOf(content), (part) => checkSeal(part, model));
    if (corrupted) return corrupted;
    const [first] = having(partsOf(content), 'functionCall');
    if (!requireThoughtSignatures || !first || index < current || typeof first['thoughtSignature'] === 'string')
      return undefined;
    const name = stringOf(objectOf(first['functionCall'])['name']);
    return invalid(
      `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${index + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`,
    );
  });
}

function checkSeal(part: JsonObject, model: string): Failure | undefined {
  const signature = part['thoughtSignature'];
  if (typeof signature !== 'string' || PASSES.has(signature) || isSealFor(model, signature)) return undefined;
  return invalid('Corrupted thought signature.');
}
