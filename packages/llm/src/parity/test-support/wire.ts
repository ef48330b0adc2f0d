import { isRecord } from '@attractor/base';

/**
 * Where each protocol keeps what the parity matrix checks. Only reads recorded request bodies: it describes what the model saw, in the same
 * terms for all protocols.
 */
export type Wire = {
  readonly model: string;
  readonly path: RegExp;
  readonly authHeader: string;
  readonly streams: (body: unknown, path: string) => boolean;
  readonly system: (body: unknown) => string;
  readonly userTexts: (body: unknown) => ReadonlyArray<string>;
  readonly images: (body: unknown) => ReadonlyArray<WireImage>;
  readonly toolNames: (body: unknown) => ReadonlyArray<string>;
  /** Results in the order sent: the id of the call, or its name if the protocol has no ids. */
  readonly toolResults: (body: unknown) => ReadonlyArray<WireResult>;
  /** The schema for the answer, wherever the protocol puts it. */
  readonly objectSchema: (body: unknown) => unknown;
};

export type WireImage = { readonly url: string } | { readonly mediaType: string; readonly data: string };
export type WireResult = { readonly call: string; readonly output: string };

export type ProtocolName = 'anthropic' | 'openai' | 'openai-chat' | 'gemini';

export const WIRES: Readonly<Record<ProtocolName, Wire>> = {
  anthropic: {
    model: 'claude-sonnet-4-5-20250929',
    path: /^\/v1\/messages$/,
    authHeader: 'x-api-key',
    streams: (body) => at(body, 'stream') === true,
    system: (body) =>
      list(at(body, 'system'))
        .map((block) => text(at(block, 'text')))
        .join(''),
    userTexts: (body) => blocks(body, 'messages').flatMap((block) => textsOf(block, 'text')),
    images: (body) =>
      blocks(body, 'messages')
        .filter((block) => at(block, 'type') === 'image')
        .map(({ source }) =>
          at(source, 'type') === 'url'
            ? { url: text(at(source, 'url')) }
            : { mediaType: text(at(source, 'media_type')), data: text(at(source, 'data')) },
        ),
    toolNames: (body) => list(at(body, 'tools')).map((tool) => text(at(tool, 'name'))),
    toolResults: (body) =>
      blocks(body, 'messages')
        .filter((block) => at(block, 'type') === 'tool_result')
        .map((block) => ({ call: text(block['tool_use_id']), output: flatText(block['content']) })),
    objectSchema: (body) => at(list(at(body, 'tools'))[0], 'input_schema'),
  },
  openai: {
    model: 'gpt-5.1',
    path: /^\/v1\/responses$/,
    authHeader: 'authorization',
    streams: (body) => at(body, 'stream') === true,
    system: (body) => text(at(body, 'instructions')) + messageTexts(body, 'input', ['system', 'developer']),
    userTexts: (body) => userBlocks(body, 'input').flatMap((block) => textsOf(block, 'input_text')),
    images: (body) =>
      userBlocks(body, 'input')
        .filter((block) => at(block, 'type') === 'input_image')
        .map((block) => imageOf(text(block['image_url']))),
    toolNames: (body) => list(at(body, 'tools')).map((tool) => text(at(tool, 'name'))),
    toolResults: (body) =>
      records(at(body, 'input'))
        .filter((item) => item['type'] === 'function_call_output')
        .map((item) => ({ call: text(item['call_id']), output: flatText(item['output']) })),
    objectSchema: (body) => at(at(at(body, 'text'), 'format'), 'schema'),
  },
  'openai-chat': {
    model: 'llama-scripted',
    path: /^\/v1\/chat\/completions$/,
    authHeader: 'authorization',
    streams: (body) => at(body, 'stream') === true,
    system: (body) => messageTexts(body, 'messages', ['system', 'developer']),
    userTexts: (body) => userBlocks(body, 'messages').flatMap((block) => textsOf(block, 'text')),
    images: (body) =>
      userBlocks(body, 'messages')
        .filter((block) => at(block, 'type') === 'image_url')
        .map((block) => imageOf(text(at(block['image_url'], 'url')))),
    toolNames: (body) => list(at(body, 'tools')).map((tool) => text(at(at(tool, 'function'), 'name'))),
    toolResults: (body) =>
      records(at(body, 'messages'))
        .filter((item) => item['role'] === 'tool')
        .map((item) => ({ call: text(item['tool_call_id']), output: flatText(item['content']) })),
    objectSchema: (body) => at(at(list(at(body, 'tools'))[0], 'function'), 'parameters'),
  },
  gemini: {
    model: 'gemini-2.5-pro',
    path: /^\/v1beta\/models\/gemini-2\.5-pro:streamGenerateContent(\?|$)/,
    authHeader: 'x-goog-api-key',
    streams: (_body, path) => path.includes(':streamGenerateContent') && path.includes('alt=sse'),
    system: (body) =>
      list(at(at(body, 'systemInstruction'), 'parts'))
        .map((part) => text(at(part, 'text')))
        .join(''),
    userTexts: (body) => geminiParts(body).flatMap((part) => ('text' in part ? [text(part['text'])] : [])),
    images: (body) => geminiParts(body).flatMap(geminiImage),
    toolNames: (body) =>
      records(at(body, 'tools')).flatMap((tool) =>
        list(tool['functionDeclarations']).map((one) => text(at(one, 'name'))),
      ),
    toolResults: (body) =>
      geminiParts(body)
        .filter((part) => 'functionResponse' in part)
        .map((part) => at(part, 'functionResponse'))
        .map((given) => ({ call: text(at(given, 'name')), output: geminiOutput(at(given, 'response')) })),
    objectSchema: (body) => {
      const config = at(body, 'generationConfig');
      return at(config, 'responseJsonSchema') ?? at(config, 'responseSchema');
    },
  },
};

type Json = Readonly<Record<string, unknown>>;

function at(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

function list(value: unknown): ReadonlyArray<unknown> {
  return Array.isArray(value) ? value : [];
}

function records(value: unknown): ReadonlyArray<Json> {
  return list(value).filter(isRecord);
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function flatText(value: unknown): string {
  return typeof value === 'string'
    ? value
    : list(value)
        .map((part) => text(at(part, 'text')))
        .join('');
}

function blocks(body: unknown, key: string): ReadonlyArray<Json> {
  const asked = records(at(body, key)).filter((message) => message['role'] === 'user');
  return asked.flatMap(({ content }) =>
    typeof content === 'string' ? [{ type: 'text', text: content }] : records(content),
  );
}

function userBlocks(body: unknown, key: string): ReadonlyArray<Json> {
  const type = key === 'input' ? 'input_text' : 'text';
  const asked = records(at(body, key)).filter((message) => message['role'] === 'user');
  return asked.flatMap(({ content }) => (typeof content === 'string' ? [{ type, text: content }] : records(content)));
}

function textsOf(block: Json, type: string): ReadonlyArray<string> {
  return block['type'] === type ? [text(block['text'])] : [];
}

function messageTexts(body: unknown, key: string, roles: ReadonlyArray<string>): string {
  return records(at(body, key))
    .filter((message) => roles.includes(text(message['role'])))
    .map((message) => flatText(message['content']))
    .join('');
}

function imageOf(url: string): WireImage {
  const inline = /^data:([^;]+);base64,(.*)$/s.exec(url);
  return inline === null ? { url } : { mediaType: inline[1] ?? '', data: inline[2] ?? '' };
}

function geminiParts(body: unknown): ReadonlyArray<Json> {
  const asked = records(at(body, 'contents')).filter((content) => content['role'] !== 'model');
  return asked.flatMap((content) => records(content['parts']));
}

function geminiImage(part: Json): ReadonlyArray<WireImage> {
  const inline = part['inlineData'];
  const file = part['fileData'];
  if (inline !== undefined) return [{ mediaType: text(at(inline, 'mimeType')), data: text(at(inline, 'data')) }];
  return file === undefined ? [] : [{ url: text(at(file, 'fileUri')) }];
}

function geminiOutput(response: unknown): string {
  return text(at(response, 'result') ?? at(response, 'content') ?? at(response, 'output') ?? at(response, 'error'));
}
