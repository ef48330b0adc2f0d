import { isObject, type JsonObject, objectOf, stringOf } from '../../wire/json.ts';
import { checkFormat, checkFunctions, emptyArray, wrongType } from '../openai/strict-tools.ts';
import type { Failure } from '../../protocol.ts';
import { firstFailure, firstOf, invalid } from '../refuse.ts';
import { functionsOf } from './parse.ts';
import { checkMessages } from './strict-messages.ts';

const FIELDS = new Set(
  `model messages audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata
  modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options
  prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options
  temperature tool_choice tools top_logprobs top_p user verbosity web_search_options`.split(/\s+/),
);

/** Everything the Chat Completions API refuses, in the order in which it checks. */
export function check(body: JsonObject): Failure | undefined {
  return firstFailure([
    () => checkFields(body),
    () => checkOptions(body),
    () => checkMessages(body),
    () => checkTools(body),
    () => checkResponseFormat(body),
  ]);
}

function checkFields(body: JsonObject): Failure | undefined {
  const unknown = Object.keys(body).find((name) => !FIELDS.has(name));
  if (unknown !== undefined) return invalid(`Unrecognized request argument supplied: ${unknown}`);
  if (body['model'] === undefined) return invalid('you must provide a model parameter');
  if (typeof body['model'] !== 'string') return wrongType('model', 'a string', body['model']);
  if (body['messages'] !== undefined) return undefined;
  return invalid("Missing required parameter: 'messages'.", { param: 'messages', code: 'missing_required_parameter' });
}

function checkOptions(body: JsonObject): Failure | undefined {
  if (body['stream_options'] !== undefined && body['stream'] !== true) {
    return invalid("The 'stream_options' parameter is only allowed when 'stream' is enabled.", {
      param: 'stream_options',
    });
  }
  if (body['max_tokens'] !== undefined && body['max_completion_tokens'] !== undefined) {
    return invalid("Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.", {
      param: 'max_tokens',
    });
  }
  const limit = body['max_tokens'] ?? body['max_completion_tokens'];
  if (typeof limit !== 'number' || limit >= 1) return undefined;
  return invalid(
    `Invalid 'max_tokens': integer below minimum value. Expected a value >= 1, but got ${limit} instead.`,
    {
      param: 'max_tokens',
      code: 'integer_below_min_value',
    },
  );
}

function checkTools(body: JsonObject): Failure | undefined {
  const { tools, tool_choice: choice } = body;
  if (tools === undefined) {
    if (choice === undefined) return undefined;
    return invalid("Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.", {
      param: 'tool_choice',
    });
  }
  if (!Array.isArray(tools)) return wrongType('tools', 'an array of objects', tools);
  if (tools.length === 0) return emptyArray('tools');
  const shaped = firstOf(tools, (tool, index) => checkShape(objectOf(tool), `tools[${index}]`));
  if (shaped) return shaped;
  const declared = tools.map((tool, index) => ({
    definition: objectOf(objectOf(tool)['function']),
    param: `tools[${index}].function`,
  }));
  return checkFunctions(declared) ?? checkChoice(body);
}

function checkShape(tool: JsonObject, param: string): Failure | undefined {
  const absent = ['type', 'function'].find((name) => tool[name] === undefined);
  if (absent === undefined) return undefined;
  return invalid(`Missing required parameter: '${param}.${absent}'.`, {
    param: `${param}.${absent}`,
    code: 'missing_required_parameter',
  });
}

function checkChoice(body: JsonObject): Failure | undefined {
  const choice = body['tool_choice'];
  if (choice === undefined || ['auto', 'none', 'required'].includes(stringOf(choice))) return undefined;
  if (!isObject(choice)) return wrongType('tool_choice', 'one of an object or string', choice);
  const name = stringOf(objectOf(choice['function'])['name']);
  if (functionsOf(body).some((tool) => tool['name'] === name)) return undefined;
  return invalid(
    `Invalid value for 'tool_choice': no function named '${name}' was specified in the 'tools' parameter.`,
    { param: 'tool_choice' },
  );
}

function checkResponseFormat(body: JsonObject): Failure | undefined {
  const format = objectOf(body['response_format']);
  if (format['type'] === 'json_schema') {
    return checkFormat({ type: 'json_schema', ...objectOf(format['json_schema']) }, 'response_format.json_schema');
  }
  if (format['type'] !== 'json_object' || /json/i.test(JSON.stringify(body['messages']))) return undefined;
  return invalid(
    "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    { param: 'messages' },
  );
}
