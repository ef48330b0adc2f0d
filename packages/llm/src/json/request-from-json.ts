import { defined, isRecord } from '@attractor/base';
import type { ContentPart, Message, Request, Role, ToolChoice, ToolSpec } from '../types/index.ts';

/**
 * Grammar of the JSON on stdin (camelCase and snake_case are both read):
 *   { messages: [Message…], system?, tools?: [Tool…], tool_choice?, max_tokens?, temperature?, top_p?, stop_sequences?,
 *     reasoning_effort?, response_format?, provider_options?, model?, provider? }
 *   Message = { role, content: string | [Part…], tool_calls?: [{ id, name, args }], tool_call_id?, is_error? }
 *   Part    = { type: text | image | document | thinking | tool_call | tool_result, … }
 *   Tool    = { name, description?, parameters | input_schema }
 */
export type RequestOrProblem =
  | { readonly ok: true; readonly request: Request }
  | { readonly ok: false; readonly problem: string };

export function requestFromJson(
  text: string,
  chosen: { readonly provider?: string; readonly model?: string },
): RequestOrProblem {
  try {
    const input = object(JSON.parse(text), 'the input');
    const model = chosen.model ?? optionalText(input, 'model');
    if (model === undefined) throw new Problem('no model: pass --model, or "model" in the input or in config.json');
    const provider = chosen.provider ?? optionalText(input, 'provider');
    return {
      ok: true,
      request: {
        model,
        ...(provider !== undefined && { provider }),
        messages: readMessages(input),
        ...readOptions(input),
      },
    };
  } catch (error) {
    if (error instanceof Problem) return { ok: false, problem: error.message };
    if (error instanceof SyntaxError) return { ok: false, problem: `the input is not valid JSON: ${error.message}` };
    throw error;
  }
}

class Problem extends Error {}

type Fields = Readonly<Record<string, unknown>>;

function readMessages(input: Fields): ReadonlyArray<Message> {
  const system = optionalText(input, 'system');
  const messages = list(field(input, 'messages'), 'messages').map((item, index) =>
    readMessage(object(item, `messages[${index}]`), `messages[${index}]`),
  );
  return system === undefined
    ? messages.flat()
    : [{ role: 'system', content: [{ kind: 'TEXT', text: system }] }, ...messages.flat()];
}

const ROLES: ReadonlyArray<string> = ['system', 'developer', 'user', 'assistant', 'tool'] satisfies ReadonlyArray<Role>;

function readMessage(message: Fields, place: string): Message {
  const role = message['role'];
  if (typeof role !== 'string' || !ROLES.includes(role))
    throw new Problem(`${place}.role must be one of ${ROLES.join(', ')}`);
  const toolCallId = optionalText(message, 'toolCallId', 'tool_call_id');
  if (role === 'tool' && toolCallId !== undefined) return { role: 'tool', content: [readResult(message, toolCallId)] };
  const calls = optionalList(message, 'toolCalls', 'tool_calls').map((call, index) =>
    readCall(object(call, `${place}.tool_calls[${index}]`), `${place}.tool_calls[${index}]`),
  );
  return { role: role as Role, content: [...readContent(message['content'], place), ...calls] };
}

function readContent(content: unknown, place: string): ReadonlyArray<ContentPart> {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ kind: 'TEXT', text: content }];
  return list(content, `${place}.content`).map((part, index) =>
    readPart(object(part, `${place}.content[${index}]`), `${place}.content[${index}]`),
  );
}

const PARTS: Readonly<Record<string, (part: Fields, place: string) => ContentPart>> = {
  text: (part, place) => ({ kind: 'TEXT', text: text(part, place, 'text') }),
  image: (part, place) => ({ kind: 'IMAGE', source: readSource(part, place) }),
  document: (part, place) => ({ kind: 'DOCUMENT', source: readSource(part, place) }),
  audio: (part, place) => ({ kind: 'AUDIO', source: readSource(part, place) }),
  thinking: (part, place) => ({ kind: 'THINKING', text: text(part, place, 'text', 'thinking'), ...signature(part) }),
  tool_call: readCall,
  tool_use: readCall,
  tool_result: (part, place) => readResult(part, text(part, place, 'toolCallId', 'tool_call_id', 'tool_use_id')),
};

function readPart(part: Fields, place: string): ContentPart {
  const read = PARTS[optionalText(part, 'type', 'kind')?.toLowerCase() ?? ''];
  if (read === undefined) throw new Problem(`${place}.type must be one of ${Object.keys(PARTS).join(', ')}`);
  return read(part, place);
}

function readSource(part: Fields, place: string): Extract<ContentPart, { kind: 'IMAGE' }>['source'] {
  const source = part['source'] === undefined ? part : object(part['source'], `${place}.source`);
  const mediaType = optionalText(source, 'mediaType', 'media_type');
  const media = defined({ mediaType });
  const url = optionalText(source, 'url');
  return url === undefined ? { data: text(source, place, 'data'), ...media } : { url, ...media };
}

function readCall(call: Fields, place: string): ContentPart {
  const args = call['args'] ?? call['arguments'] ?? call['input'] ?? {};
  const parsed: unknown = typeof args === 'string' ? JSON.parse(args) : args;
  return {
    kind: 'TOOL_CALL',
    toolCallId: text(call, place, 'id', 'toolCallId', 'tool_call_id'),
    toolName: text(call, place, 'name', 'toolName'),
    args: object(parsed, `${place}.args`),
  };
}

function readResult(part: Fields, toolCallId: string): ContentPart {
  const output = part['output'] ?? part['content'] ?? '';
  return {
    kind: 'TOOL_RESULT',
    toolCallId,
    output: typeof output === 'string' ? output : JSON.stringify(output),
    isError: (part['isError'] ?? part['is_error']) === true,
  };
}

function signature(part: Fields): { readonly signature?: string; readonly origin?: string } {
  const value = optionalText(part, 'signature');
  const origin = optionalText(part, 'origin');
  return { ...(value !== undefined && { signature: value }), ...(origin !== undefined && { origin }) };
}

/** Copied unchanged if present; the provider checks them. */
const OPTIONS: ReadonlyArray<readonly [keyof Request, ReadonlyArray<string>]> = [
  ['temperature', ['temperature']],
  ['topP', ['topP', 'top_p']],
  ['maxTokens', ['maxTokens', 'max_tokens']],
  ['stopSequences', ['stopSequences', 'stop_sequences']],
  ['reasoningEffort', ['reasoningEffort', 'reasoning_effort']],
  ['responseFormat', ['responseFormat', 'response_format']],
  ['metadata', ['metadata']],
  ['providerOptions', ['providerOptions', 'provider_options']],
  ['timeouts', ['timeouts']],
];

function readOptions(input: Fields): Partial<Request> {
  const options: Record<string, unknown> = {};
  for (const [key, names] of OPTIONS) {
    const value = names.map((name) => input[name]).find((item) => item !== undefined);
    if (value !== undefined) options[key] = value;
  }
  const tools = optionalList(input, 'tools').map((tool, index) =>
    readTool(object(tool, `tools[${index}]`), `tools[${index}]`),
  );
  if (tools.length > 0) options['tools'] = tools;
  const choice = input['toolChoice'] ?? input['tool_choice'];
  if (choice !== undefined) options['toolChoice'] = readToolChoice(choice);
  return options;
}

function readTool(tool: Fields, place: string): ToolSpec {
  const parameters = tool['parameters'] ??
    tool['input_schema'] ??
    tool['inputSchema'] ?? { type: 'object', properties: {} };
  return {
    name: text(tool, place, 'name'),
    description: optionalText(tool, 'description') ?? '',
    parameters: object(parameters, `${place}.parameters`),
  };
}

function readToolChoice(choice: unknown): ToolChoice {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const fields = object(choice, 'tool_choice');
  return { toolName: text(fields, 'tool_choice', 'toolName', 'tool_name', 'name') };
}

function field(fields: Fields, name: string): unknown {
  if (fields[name] === undefined)
    throw new Problem(`"${name}" is missing: expected { "${name}": [ { "role": "user", "content": "…" } ] }`);
  return fields[name];
}

function text(fields: Fields, place: string, ...names: ReadonlyArray<string>): string {
  const value = optionalText(fields, ...names);
  if (value === undefined) throw new Problem(`${place}.${names[0] ?? ''} must be a string`);
  return value;
}

function optionalText(fields: Fields, ...names: ReadonlyArray<string>): string | undefined {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string') return value;
  }
  return undefined;
}

function optionalList(fields: Fields, ...names: ReadonlyArray<string>): ReadonlyArray<unknown> {
  const name = names.find((candidate) => fields[candidate] !== undefined && fields[candidate] !== null);
  return name === undefined ? [] : list(fields[name], name);
}

function list(value: unknown, place: string): ReadonlyArray<unknown> {
  if (!Array.isArray(value)) throw new Problem(`${place} must be a list`);
  return value;
}

function object(value: unknown, place: string): Fields {
  if (!isRecord(value)) throw new Problem(`${place} must be a JSON object`);
  return value;
}
