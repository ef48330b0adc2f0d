import { isObject, type JsonObject, shown, stringOf } from '../../wire/json.ts';
import { checkName, emptyString, wrongType } from '../openai/strict-tools.ts';
import type { Failure } from '../../protocol.ts';
import { firstDuplicate, firstFailure, firstOf, invalid } from '../refuse.ts';
import { itemsOf, typeOf } from './items.ts';

/** Shape of each item, and that calls and outputs belong together. */
export function checkItems(body: JsonObject): Failure | undefined {
  const raw = Array.isArray(body['input']) ? body['input'] : [];
  const items = itemsOf(body);
  return firstFailure([
    () =>
      firstOf(raw, (item, index) =>
        isObject(item) ? checkItem(item, `input[${index}]`) : wrongType(`input[${index}]`, 'an object', item),
      ),
    () => checkDuplicates(items),
    () => checkPairing(items),
  ]);
}

type Rule = (item: JsonObject, param: string) => Failure | undefined;

const RULES: Record<string, Rule> = {
  message: checkMessage,
  function_call: (item, param) =>
    checkId(item, param, 'fc') ??
    checkCallId(item, param) ??
    checkName(item['name'], `${param}.name`) ??
    checkString(item, param, 'arguments'),
  function_call_output: (item, param) => checkCallId(item, param) ?? checkOutput(item, param),
  reasoning: (item, param) => checkId(item, param, 'rs') ?? checkSummary(item, param),
};

function checkItem(item: JsonObject, param: string): Failure | undefined {
  const type = typeOf(item);
  if (item['type'] === undefined && item['role'] === undefined) return missing(`${param}.type`);
  const rule = RULES[type];
  if (rule) return rule(item, param);
  if (
    /^(custom_tool_call|item_reference|local_shell_call|shell_call|apply_patch_call|web_search_call|compaction)/.test(
      type,
    )
  )
    return undefined;
  return invalid(
    `Invalid value: '${type}'. Supported values are: 'custom_tool_call', 'custom_tool_call_output', 'function_call', 'function_call_output', 'item_reference', 'message', and 'reasoning'.`,
    { param, code: 'invalid_value' },
  );
}

const PART_TYPES: Record<string, string[]> = {
  user: ['input_text', 'input_image', 'input_file', 'input_audio'],
  system: ['input_text'],
  developer: ['input_text'],
  assistant: ['output_text', 'refusal'],
};

function checkMessage(item: JsonObject, param: string): Failure | undefined {
  const role = stringOf(item['role']);
  const allowed = PART_TYPES[role];
  if (!allowed) {
    return invalid(`Invalid value: '${role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`, {
      param: `${param}.role`,
      code: 'invalid_value',
    });
  }
  const content = item['content'];
  if (content === undefined) return missing(`${param}.content`);
  if (typeof content === 'string') return checkId(item, param, 'msg');
  if (!Array.isArray(content)) return wrongType(`${param}.content`, 'one of an array of objects or string', content);
  const bad = firstOf(content, (part, index) => checkPart(part, `${param}.content[${index}]`, allowed));
  return bad ?? checkId(item, param, 'msg');
}

function checkPart(part: unknown, param: string, allowed: string[]): Failure | undefined {
  const type = isObject(part) ? stringOf(part['type']) : '';
  if (!isObject(part) || !allowed.includes(type)) {
    const values = allowed.map((value) => `'${value}'`).join(' and ');
    return invalid(`Invalid value: '${type}'. Supported values are: ${values}.`, { param, code: 'invalid_value' });
  }
  if (type.endsWith('_text')) return checkString(part, param, 'text');
  if (type !== 'input_image' || part['file_id'] !== undefined) return undefined;
  const url = stringOf(part['image_url']);
  if (/^https?:\/\/|^data:image\/(png|jpeg|jpg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(url)) return undefined;
  return invalid(`Invalid '${param}.image_url'. Expected a valid URL, but got a value with an invalid format.`, {
    param: `${param}.image_url`,
    code: 'invalid_value',
  });
}

/** An id may be left out, but an existing one must look like one the service made. */
function checkId(item: JsonObject, param: string, prefix: string): Failure | undefined {
  const id = item['id'];
  if (id === undefined || id === null) return prefix === 'rs' ? missing(`${param}.id`) : undefined;
  if (stringOf(id).startsWith(prefix)) return undefined;
  return invalid(`Invalid '${param}.id': '${shown(id)}'. Expected an ID that begins with '${prefix}'.`, {
    param: `${param}.id`,
    code: 'invalid_value',
  });
}

function checkCallId(item: JsonObject, param: string): Failure | undefined {
  const id = item['call_id'];
  if (id === undefined) return missing(`${param}.call_id`);
  if (typeof id !== 'string') return wrongType(`${param}.call_id`, 'a string', id);
  if (id === '') return emptyString(`${param}.call_id`);
  if (id.length <= 64) return undefined;
  return invalid(
    `Invalid '${param}.call_id': string too long. Expected a string with maximum length 64, but got a string with length ${id.length} instead.`,
    { param: `${param}.call_id`, code: 'string_above_max_length' },
  );
}

function checkString(item: JsonObject, param: string, field: string): Failure | undefined {
  if (item[field] === undefined) return missing(`${param}.${field}`);
  return typeof item[field] === 'string' ? undefined : wrongType(`${param}.${field}`, 'a string', item[field]);
}

function checkOutput(item: JsonObject, param: string): Failure | undefined {
  return Array.isArray(item['output']) ? undefined : checkString(item, param, 'output');
}

function checkSummary(item: JsonObject, param: string): Failure | undefined {
  return Array.isArray(item['summary']) ? undefined : missing(`${param}.summary`);
}

function missing(param: string): Failure {
  return invalid(`Missing required parameter: '${param}'.`, { param, code: 'missing_required_parameter' });
}

function checkDuplicates(items: JsonObject[]): Failure | undefined {
  const twice = firstDuplicate(items.map((item) => stringOf(item['id'])).filter((id) => id !== ''));
  if (twice === undefined) return undefined;
  return invalid(`Duplicate item found with id ${twice}. Remove duplicate items from your input and try again.`, {
    param: 'input',
  });
}

function checkPairing(items: JsonObject[]): Failure | undefined {
  const called = new Set<string>();
  const answered = new Set<string>();
  for (const item of items) {
    const id = stringOf(item['call_id']);
    if (typeOf(item) === 'function_call') called.add(id);
    if (typeOf(item) !== 'function_call_output') continue;
    if (!called.has(id))
      return invalid(`No tool call found for function call output with call_id ${id}.`, { param: 'input' });
    answered.add(id);
  }
  const open = [...called].find((id) => !answered.has(id));
  return open === undefined
    ? undefined
    : invalid(`No tool output found for function call ${open}.`, { param: 'input' });
}
