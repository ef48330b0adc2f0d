import { CONVERSATION_HEADER } from '../../conversation/identify.ts';
import { isObject, type JsonObject, listOf, objectOf, stringOf } from '../../wire/json.ts';
import type { DeclaredTool, ModelRequest, ParseContext } from '../../protocol.ts';
import { isModelItem, isUserMessage, itemsOf, textOf, typeOf } from './items.ts';

export function parse(body: JsonObject, { headers }: ParseContext): ModelRequest {
  const items = itemsOf(body);
  const users = items.filter(isUserMessage);
  const lastModel = items.findLastIndex(isModelItem);
  const results = items.slice(lastModel + 1).filter((item) => typeOf(item) === 'function_call_output');
  const forced = forcedTool(body);
  return {
    protocol: 'openai',
    model: stringOf(body['model']),
    stream: body['stream'] === true,
    body,
    headers,
    system: systemOf(body, items),
    firstUser: textOf(users[0]?.['content']),
    lastUser: textOf(users.at(-1)?.['content']),
    toolResults: results.map((item) => textOf(item['output'])),
    callIds: items.filter((item) => typeOf(item) === 'function_call').map((item) => stringOf(item['call_id'])),
    assistantTurns: items.filter((item, index) => isModelItem(item) && !isModelItem(items[index - 1] ?? {})).length,
    tools: [
      ...functionsOf(body).map((tool) => declaredTool(stringOf(tool['name']), tool)),
      ...namespacedFunctions(body).map(({ fullName, tool }) => declaredTool(fullName, tool)),
    ],
    ...(forced !== undefined && { forcedTool: forced }),
    identity:
      headers[CONVERSATION_HEADER] ?? (stringOf(objectOf(body['metadata'])['user_id']) || stringOf(body['user'])),
    thinking: thinkingMode(body),
    segments: [
      JSON.stringify(body['tools'] ?? []),
      stringOf(body['instructions']),
      ...items.map((item) => JSON.stringify(item)),
    ],
  };
}

export function functionsOf(body: JsonObject): JsonObject[] {
  return listOf(body['tools']).filter((tool): tool is JsonObject => isObject(tool) && tool['type'] === 'function');
}

function declaredTool(name: string, tool: JsonObject): DeclaredTool {
  return { name, parameters: objectOf(tool['parameters']) };
}

interface NamespacedFunction {
  /** What a script calls it: the names of the namespace and of the function. */
  fullName: string;
  namespace: string;
  tool: JsonObject;
}

/** Functions may be declared in a namespace, such as the tools of an MCP server; a call then names both. */
export function namespacedFunctions(body: JsonObject): NamespacedFunction[] {
  const spaces = listOf(body['tools']).filter((one): one is JsonObject => isObject(one) && one['type'] === 'namespace');
  return spaces.flatMap((space) => {
    const namespace = stringOf(space['name']);
    return functionsOf(space).map((tool) => ({ fullName: `${namespace}__${stringOf(tool['name'])}`, namespace, tool }));
  });
}

function systemOf(body: JsonObject, items: JsonObject[]): string {
  const messages = items.filter(
    (item) => typeOf(item) === 'message' && (item['role'] === 'system' || item['role'] === 'developer'),
  );
  return [stringOf(body['instructions']), ...messages.map((item) => textOf(item['content']))]
    .filter((text) => text !== '')
    .join('\n');
}

function forcedTool(body: JsonObject): string | undefined {
  const choice = body['tool_choice'];
  if (isObject(choice) && choice['type'] === 'function') return stringOf(choice['name']);
  const tools = functionsOf(body);
  return choice === 'required' && tools.length === 1 ? stringOf(tools[0]?.['name']) : undefined;
}

function thinkingMode(body: JsonObject): ModelRequest['thinking'] {
  const reasoning = objectOf(body['reasoning']);
  if (reasoning['effort'] === 'none') return 'off';
  return typeof reasoning['summary'] === 'string' ? 'shown' : 'hidden';
}
