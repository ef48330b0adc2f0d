import { CONVERSATION_HEADER } from '../../conversation/identify.ts';
import { isObject, type JsonObject, listOf, objectOf, stringOf } from '../../wire/json.ts';
import type { ModelRequest, ParseContext } from '../../protocol.ts';
import { contentsOf, declarationsOf, having, partsOf, roleOf, textOf } from './contents.ts';

export function parse(body: JsonObject, { headers, model, stream, arrayStream }: ParseContext): ModelRequest {
  const contents = contentsOf(body);
  const users = contents.filter((content) => roleOf(content) !== 'model');
  const lastModel = contents.findLastIndex((content) => roleOf(content) === 'model');
  const results = contents.slice(lastModel + 1).flatMap((content) => having(partsOf(content), 'functionResponse'));
  const calls = contents.flatMap((content) => having(partsOf(content), 'functionCall'));
  const forced = forcedTool(body);
  return {
    protocol: 'gemini',
    model,
    stream,
    ...(arrayStream && { arrayStream }),
    body,
    headers,
    system: textOf(body['systemInstruction']),
    firstUser: textOf(users[0]),
    lastUser: textOf(users.findLast((content) => textOf(content) !== '')),
    toolResults: results.map((part) => resultText(objectOf(part['functionResponse'])['response'])),
    callIds: calls.map((part) => stringOf(objectOf(part['functionCall'])['id'])).filter((id) => id !== ''),
    assistantTurns: contents.filter((content, index) => isTurn(content, contents[index - 1])).length,
    tools: declarationsOf(body).map((tool) => ({
      name: stringOf(tool['name']),
      parameters: objectOf(tool['parameters'] ?? tool['parametersJsonSchema']),
    })),
    ...(forced !== undefined && { forcedTool: forced }),
    identity: headers[CONVERSATION_HEADER] ?? stringOf(objectOf(body['labels'])['conversation']),
    thinking: thinkingMode(body),
    segments: [
      JSON.stringify(body['tools'] ?? []),
      JSON.stringify(body['systemInstruction'] ?? ''),
      ...contents.map((content) => JSON.stringify(content)),
    ],
  };
}

function isTurn(content: JsonObject, previous: JsonObject | undefined): boolean {
  return roleOf(content) === 'model' && (previous === undefined || roleOf(previous) !== 'model');
}

/** A result is an object; clients put plain text under one of a few names. */
function resultText(response: unknown): string {
  if (!isObject(response)) return stringOf(response);
  const plain = ['output', 'result', 'content', 'error']
    .map((name) => response[name])
    .find((value) => typeof value === 'string');
  return plain === undefined ? JSON.stringify(response) : stringOf(plain);
}

function forcedTool(body: JsonObject): string | undefined {
  const config = objectOf(objectOf(body['toolConfig'])['functionCallingConfig']);
  if (config['mode'] !== 'ANY') return undefined;
  const allowed = listOf(config['allowedFunctionNames']);
  const names = allowed.length > 0 ? allowed : declarationsOf(body).map((tool) => tool['name']);
  return names.length === 1 ? stringOf(names[0]) : undefined;
}

function thinkingMode(body: JsonObject): ModelRequest['thinking'] {
  const config = objectOf(objectOf(body['generationConfig'])['thinkingConfig']);
  if (config['thinkingBudget'] === 0) return 'off';
  return config['includeThoughts'] === true ? 'shown' : 'hidden';
}
