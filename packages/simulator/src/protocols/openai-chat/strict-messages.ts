import { isObject, type JsonObject, listOf, objectOf, shown, stringOf } from '../../wire/json.ts';
import { checkName, emptyArray, wrongType } from '../openai/strict-tools.ts';
import type { Failure } from '../../protocol.ts';
import { firstFailure, firstOf, invalid } from '../refuse.ts';
import { callsOf, messagesOf } from './parse.ts';

const ROLES = new Set(['system', 'assistant', 'user', 'function', 'tool', 'developer']);

/** Shape of each message, and that every call is answered by the messages right after it. */
export function checkMessages(body: JsonObject): Failure | undefined {
  const given = body['messages'];
  if (!Array.isArray(given)) return wrongType('messages', 'an array of objects', given);
  if (given.length === 0) return emptyArray('messages');
  return firstFailure([
    () =>
      firstOf(given, (message, index) =>
        isObject(message) ? checkMessage(message, index) : wrongType(`messages[${index}]`, 'an object', message),
      ),
    () => checkPairing(messagesOf(body)),
  ]);
}

function checkMessage(message: JsonObject, index: number): Failure | undefined {
  const role = message['role'];
  if (role === undefined) {
    return invalid(`Missing required parameter: 'messages[${index}].role'.`, {
      param: `messages[${index}].role`,
      code: 'missing_required_parameter',
    });
  }
  if (!ROLES.has(stringOf(role))) {
    return invalid(
      `Invalid value: '${shown(role)}'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.`,
      {
        param: `messages[${index}].role`,
        code: 'invalid_value',
      },
    );
  }
  return (role === 'assistant' ? checkCalls(message, index) : undefined) ?? checkContent(message, index);
}

function checkContent(message: JsonObject, index: number): Failure | undefined {
  const { content, role } = message;
  const param = `messages.[${index}].content`;
  if (content === null || content === undefined) {
    const excused = role === 'assistant' && (callsOf(message).length > 0 || typeof message['refusal'] === 'string');
    return excused ? undefined : invalid("Invalid value for 'content': expected a string, got null.", { param });
  }
  if (typeof content === 'string') return undefined;
  if (!Array.isArray(content))
    return wrongType(`messages[${index}].content`, 'one of a string or array of objects', content);
  if (content.length === 0) return emptyArray(`messages[${index}].content`);
  return firstOf(content, (part, at) => checkPart(objectOf(part), `messages[${index}].content[${at}]`, stringOf(role)));
}

const PARTS: Record<string, string[]> = {
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
};

function checkPart(part: JsonObject, param: string, role: string): Failure | undefined {
  const type = stringOf(part['type']);
  const allowed = PARTS[role] ?? ['text'];
  if (!allowed.includes(type)) {
    const values = allowed.map((value) => `'${value}'`).join(', ');
    return invalid(`Invalid value: '${type}'. Supported values are: ${values}.`, {
      param: `${param}.type`,
      code: 'invalid_value',
    });
  }
  if (type === 'text' && typeof part['text'] !== 'string') return wrongType(`${param}.text`, 'a string', part['text']);
  if (type !== 'image_url') return undefined;
  const url = stringOf(objectOf(part['image_url'])['url']);
  if (/^https?:\/\/|^data:image\/(png|jpeg|jpg|gif|webp);base64,[A-Za-z0-9+/]+=*$/.test(url)) return undefined;
  return invalid(`Invalid '${param}.image_url.url'. Expected a valid URL, but got a value with an invalid format.`, {
    param: `${param}.image_url.url`,
    code: 'invalid_value',
  });
}

function checkCalls(message: JsonObject, index: number): Failure | undefined {
  const param = `messages[${index}].tool_calls`;
  const calls = message['tool_calls'];
  if (calls === undefined || calls === null) return undefined;
  if (listOf(calls).length === 0) return emptyArray(param);
  return firstOf(callsOf(message), (call, at) => {
    const place = `${param}[${at}]`;
    if (typeof call['id'] !== 'string') return wrongType(`${place}.id`, 'a string', call['id'] ?? null);
    const { name, arguments: args } = objectOf(call['function']);
    if (typeof args !== 'string') return wrongType(`${place}.function.arguments`, 'a string', args ?? null);
    return checkName(name, `${place}.function.name`);
  });
}

function checkPairing(messages: JsonObject[]): Failure | undefined {
  let open = new Set<string>();
  let answered = new Set<string>();
  for (const [index, message] of messages.entries()) {
    if (message['role'] === 'tool') {
      const id = stringOf(message['tool_call_id']);
      if (!open.has(id) && !answered.has(id)) return orphan(index);
      open.delete(id);
      answered.add(id);
      continue;
    }
    if (open.size > 0) return unanswered(open, index);
    open = new Set(callsOf(message).map((call) => stringOf(call['id'])));
    answered = new Set();
  }
  return open.size > 0 ? unanswered(open, messages.length) : undefined;
}

function orphan(index: number): Failure {
  return invalid(
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    {
      param: `messages.[${index}].role`,
    },
  );
}

function unanswered(open: ReadonlySet<string>, index: number): Failure {
  return invalid(
    `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${[...open].join(', ')}`,
    { param: `messages.[${index}].role` },
  );
}
