import { CONVERSATION_HEADER } from '../../conversation/identify.ts';
import { isObject, type JsonObject, listOf, objectOf, stringOf } from '../../wire/json.ts';
import type { ModelRequest, ParseContext } from '../../protocol.ts';

export function parse(body: JsonObject, { headers }: ParseContext): ModelRequest {
  const messages = messagesOf(body);
  const role = (name: string): JsonObject[] => messages.filter((message) => message['role'] === name);
  const lastAssistant = messages.findLastIndex((message) => message['role'] === 'assistant');
  const results = messages.slice(lastAssistant + 1).filter((message) => message['role'] === 'tool');
  const forced = forcedTool(body);
  return {
    protocol: 'openai-chat',
    model: stringOf(body['model']),
    stream: body['stream'] === true,
    body,
    headers,
    system: [...role('system'), ...role('developer')].map((message) => textOf(message['content'])).join('\n'),
    firstUser: textOf(role('user')[0]?.['content']),
    lastUser: textOf(role('user').at(-1)?.['content']),
    toolResults: results.map((message) => textOf(message['content'])),
    callIds: role('assistant').flatMap((message) => callsOf(message).map((call) => stringOf(call['id']))),
    assistantTurns: messages.filter((message, index) => isTurn(message, messages[index - 1])).length,
    tools: functionsOf(body).map((tool) => ({
      name: stringOf(tool['name']),
      parameters: objectOf(tool['parameters']),
    })),
    ...(forced !== undefined && { forcedTool: forced }),
    identity:
      headers[CONVERSATION_HEADER] ?? (stringOf(objectOf(body['metadata'])['user_id']) || stringOf(body['user'])),
    thinking: body['reasoning_effort'] === 'none' ? 'off' : 'shown',
    segments: [JSON.stringify(body['tools'] ?? []), ...messages.map((message) => JSON.stringify(message))],
  };
}

export function messagesOf(body: JsonObject): JsonObject[] {
  return listOf(body['messages']).filter(isObject);
}

export function callsOf(message: JsonObject): JsonObject[] {
  return listOf(message['tool_calls']).filter(isObject);
}

export function functionsOf(body: JsonObject): JsonObject[] {
  return listOf(body['tools'])
    .filter((tool): tool is JsonObject => isObject(tool) && tool['type'] === 'function')
    .map((tool) => objectOf(tool['function']));
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .filter(isObject)
    .map((part) => stringOf(part['text']))
    .filter((text) => text !== '')
    .join('\n');
}

function isTurn(message: JsonObject, previous: JsonObject | undefined): boolean {
  return message['role'] === 'assistant' && previous?.['role'] !== 'assistant';
}

function forcedTool(body: JsonObject): string | undefined {
  const choice = body['tool_choice'];
  if (isObject(choice) && choice['type'] === 'function') return stringOf(objectOf(choice['function'])['name']);
  const tools = functionsOf(body);
  return choice === 'required' && tools.length === 1 ? stringOf(tools[0]?.['name']) : undefined;
}
