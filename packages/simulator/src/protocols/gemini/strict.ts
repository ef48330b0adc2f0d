import { isObject, type JsonObject, objectOf } from '../../wire/json.ts';
import type { CheckContext, Failure } from '../../protocol.ts';
import { firstFailure, firstOf, invalid } from '../refuse.ts';
import { contentsOf } from './contents.ts';
import { checkContents } from './strict-contents.ts';
import { checkOrder } from './strict-order.ts';
import { checkSignatures } from './strict-signatures.ts';
import { checkTools } from './strict-tools.ts';

const FIELDS = new Set(
  'contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent model labels serviceTier store'.split(
    ' ',
  ),
);

/** Everything generateContent refuses, in the order in which it checks. A count may wrap the request. */
export function check(given: JsonObject, context: CheckContext): Failure | undefined {
  const wrapped = context.counting && isObject(given['generateContentRequest']);
  const body = wrapped ? objectOf(given['generateContentRequest']) : given;
  return firstFailure([
    () => checkFields(body),
    () => checkContents(body),
    () => checkSystem(body),
    () => checkTools(body),
    () => checkConfig(objectOf(body['generationConfig'])),
    () => checkOrder(contentsOf(body)),
    () => checkSignatures(contentsOf(body), context),
  ]);
}

function checkFields(body: JsonObject): Failure | undefined {
  const unknown = Object.keys(body).find((name) => !FIELDS.has(camel(name)));
  return unknown === undefined ? undefined : unknownName(unknown);
}

function unknownName(name: string, place?: string): Failure {
  const where = place === undefined ? '' : ` at '${place}'`;
  return invalid(`Invalid JSON payload received. Unknown name "${name}"${where}: Cannot find field.`);
}

function camel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

function checkSystem(body: JsonObject): Failure | undefined {
  const system = body['systemInstruction'];
  if (system === undefined) return undefined;
  if (!isObject(system))
    return invalid(
      "Invalid value at 'system_instruction' (type.googleapis.com/google.ai.generativelanguage.v1beta.Content)",
    );
  const parts = system['parts'];
  const list = Array.isArray(parts) ? parts : [parts];
  return firstOf(list, (part, index) => {
    const text = objectOf(part)['text'];
    if (typeof text === 'string' && text !== '') return undefined;
    return invalid(
      `* GenerateContentRequest.system_instruction.parts[${index}].data: required oneof field 'data' must have one initialized field\n`,
    );
  });
}

function checkConfig(config: JsonObject): Failure | undefined {
  const limit = config['maxOutputTokens'];
  if (typeof limit === 'number' && limit < 1)
    return invalid(
      '* GenerateContentRequest.generation_config.max_output_tokens: max_output_tokens must be positive.\n',
    );
  const temperature = config['temperature'];
  if (typeof temperature === 'number' && (temperature < 0 || temperature > 2)) {
    return invalid(
      '* GenerateContentRequest.generation_config.temperature: temperature must be in the range [0.0, 2.0].\n',
    );
  }
  const schema = config['responseSchema'] ?? config['responseJsonSchema'];
  if (schema === undefined || config['responseMimeType'] === 'application/json') return undefined;
  return invalid(
    "* GenerateContentRequest.generation_config.response_schema: only allowed when response_mime_type is 'application/json'.\n",
  );
}
