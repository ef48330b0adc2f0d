import { isObject, type JsonObject, objectOf, stringOf } from '../../wire/json.ts';
import { checkFormat, checkFunctions, checkName, wrongType } from '../openai/strict-tools.ts';
import type { CheckContext, Failure } from '../../protocol.ts';
import { firstFailure, firstOf, invalid } from '../refuse.ts';
import { functionsOf } from './parse.ts';
import { checkItems } from './strict-items.ts';
import { checkReasoning } from './strict-reasoning.ts';

const FIELDS = new Set(
  `model input access_programs background context_management conversation image include instructions max_output_tokens
  max_tool_calls metadata moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options
  prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice
  tools top_logprobs top_p truncation user`.split(/\s+/),
);

/** Everything the Responses API refuses, in the order in which it checks. */
export function check(body: JsonObject, { model }: CheckContext): Failure | undefined {
  return firstFailure([
    () => checkFields(body),
    () => checkLimits(body),
    () => checkTools(body),
    () => checkFormat(objectOf(objectOf(body['text'])['format']), 'text.format'),
    () => checkItems(body),
    () => checkReasoning(body, model),
  ]);
}

function checkFields(body: JsonObject): Failure | undefined {
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
  if (unknown !== undefined)
    return invalid(`Unknown parameter: '${unknown}'.`, { param: unknown, code: 'unknown_parameter' });
  if (body['model'] === undefined) return missing('model');
  if (typeof body['model'] !== 'string') return wrongType('model', 'a string', body['model']);
  const previous = body['previous_response_id'];
  if (typeof previous === 'string') {
    return invalid(`Previous response with id '${previous}' not found.`, {
      param: 'previous_response_id',
      code: 'previous_response_not_found',
    });
  }
  const input = body['input'];
  if (input === undefined) return missing('input');
  if (typeof input === 'string' || Array.isArray(input)) return undefined;
  return wrongType('input', 'one of a string or array of items', input);
}

function missing(param: string): Failure {
  return invalid(`Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' });
}

function checkLimits(body: JsonObject): Failure | undefined {
  const limit = body['max_output_tokens'];
  if (typeof limit === 'number' && limit < 16) {
    return invalid(
      `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${limit} instead.`,
      {
        param: 'max_output_tokens',
        code: 'integer_below_min_value',
      },
    );
  }
  const instructions = body['instructions'];
  if (instructions === undefined || instructions === null || typeof instructions === 'string') return undefined;
  return wrongType('instructions', 'a string', instructions);
}

function checkTools(body: JsonObject): Failure | undefined {
  const tools = body['tools'] ?? [];
  if (!Array.isArray(tools)) return wrongType('tools', 'an array of objects', tools);
  const typed = firstOf(tools, (tool, index) =>
    typeof objectOf(tool)['type'] === 'string' ? undefined : missing(`tools[${index}].type`),
  );
  if (typed) return typed;
  const declared = tools.flatMap((tool, index) =>
    isObject(tool) && tool['type'] === 'function' ? [{ definition: tool, param: `tools[${index}]` }] : [],
  );
  return checkFunctions(declared) ?? checkChoice(body);
}

function checkChoice(body: JsonObject): Failure | undefined {
  const choice = body['tool_choice'];
  if (choice === undefined || choice === 'auto' || choice === 'none') return undefined;
  if (choice === 'required') {
    if (functionsOf(body).length > 0) return undefined;
    return invalid("Tool choice 'required' must be specified with 'tools' parameter.", { param: 'tool_choice' });
  }
  if (!isObject(choice) || choice['type'] !== 'function')
    return isObject(choice) ? undefined : wrongType('tool_choice', 'an object', choice);
  const named = checkName(choice['name'], 'tool_choice.name');
  if (named) return named;
  const name = stringOf(choice['name']);
  if (functionsOf(body).some((tool) => tool['name'] === name)) return undefined;
  return invalid(`Tool choice '${name}' not found in 'tools' parameter.`, { param: 'tool_choice' });
}
