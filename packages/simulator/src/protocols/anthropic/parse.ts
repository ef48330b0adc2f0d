import { CONVERSATION_HEADER } from '../../conversation/identify.ts';
import { isObject, type JsonObject, listOf, objectOf, stringOf } from '../../wire/json.ts';
import type { DeclaredTool, ModelRequest, ParseContext } from '../../protocol.ts';
import { blocksOf, messagesOf, ofType, textOf } from './content.ts';

export function parse(body: JsonObject, { headers }: ParseContext): ModelRequest {
  const messages = messagesOf(body);
  const users = messages.filter((message) => message['role'] === 'user');
  const lastMessage = messages.at(-1);
  const lastBlocks = lastMessage?.['role'] === 'user' ? blocksOf(lastMessage['content']) : [];
  const assistant = messages.filter((message) => message['role'] === 'assistant');
  const forced = forcedTool(body);
  return {
    protocol: 'anthropic',
    model: stringOf(body['model']),
    stream: body['stream'] === true,
    body,
    headers,
    system: textOf(body['system']),
    firstUser: textOf(users[0]?.['content']),
    lastUser: textOf(users.findLast((message) => textOf(message['content']) !== '')?.['content']),
    toolResults: ofType(lastBlocks, 'tool_result').map((block) => textOf(block['content'])),
    callIds: assistant.flatMap((message) =>
      ofType(blocksOf(message['content']), 'tool_use').map((block) => stringOf(block['id'])),
    ),
    assistantTurns: countTurns(messages),
    tools: toolsOf(body),
    ...(forced !== undefined && { forcedTool: forced }),
    identity: headers[CONVERSATION_HEADER] ?? stringOf(objectOf(body['metadata'])['user_id']),
    thinking: thinkingMode(body),
    ...prompt(body, messages),
  };
}

/** Neighbouring assistant messages are one turn; a prefill at the end is the requested turn. */
function countTurns(messages: JsonObject[]): number {
  const isTurn = (message: JsonObject, index: number): boolean =>
    message['role'] === 'assistant' && messages[index - 1]?.['role'] !== 'assistant' && index < messages.length - 1;
  return messages.filter(isTurn).length;
}

function toolsOf(body: JsonObject): DeclaredTool[] {
  return listOf(body['tools'])
    .filter(isObject)
    .map((tool) => ({ name: stringOf(tool['name']), parameters: objectOf(tool['input_schema']) }));
}

function forcedTool(body: JsonObject): string | undefined {
  const choice = objectOf(body['tool_choice']);
  if (choice['type'] === 'tool') return stringOf(choice['name']);
  const tools = listOf(body['tools']);
  return choice['type'] === 'any' && tools.length === 1 ? stringOf(objectOf(tools[0])['name']) : undefined;
}

function thinkingMode(body: JsonObject): ModelRequest['thinking'] {
  const type = objectOf(body['thinking'])['type'];
  if (type === 'enabled') return 'required';
  return type === 'adaptive' || type === 'between_tools' ? 'shown' : 'off';
}

/** Tools, system, messages: the order in which the service builds its prefix. A marker is not part of the bytes. */
function prompt(body: JsonObject, messages: JsonObject[]): { segments: string[]; breakpoints: number[] } {
  const segments: string[] = [];
  const breakpoints: number[] = [];
  const add = (block: JsonObject, place: string): void => {
    const { cache_control: marker, ...content } = block;
    segments.push(place + JSON.stringify(content));
    if (isObject(marker)) breakpoints.push(segments.length - 1);
  };
  for (const tool of listOf(body['tools']).filter(isObject)) add(tool, 'tool:');
  for (const block of blocksOf(body['system'])) add(block, 'system:');
  for (const message of messages) {
    for (const block of blocksOf(message['content'])) add(block, `${stringOf(message['role'])}:`);
  }
  if (isObject(body['cache_control']) && segments.length > 0) breakpoints.push(segments.length - 1);
  return { segments, breakpoints };
}
