import { isRecord } from '@attractor/base';

/**
 * What a model saw, read from the body of one recorded request and described in the same terms for all protocols.
 * `calls` and `results` are those of the whole conversation so far, in order.
 */
export type Seen = {
  readonly system: string;
  readonly tools: ReadonlyArray<{ readonly name: string; readonly parameters: ReadonlyArray<string> }>;
  readonly users: ReadonlyArray<string>;
  readonly calls: ReadonlyArray<{ readonly name: string; readonly args: unknown }>;
  readonly results: ReadonlyArray<{ readonly output: string; readonly isError: boolean }>;
  /** A word, or a budget in tokens; undefined if none was requested. */
  readonly effort: unknown;
};

export type Family = 'openai' | 'anthropic' | 'gemini';

export const READERS: Readonly<Record<Family, (body: unknown) => Seen>> = {
  anthropic: (body) => {
    const blocks = records(at(body, 'messages')).flatMap(({ role, content }) =>
      records(content).map((block) => ({ ...block, role })),
    );
    return {
      system: textOf(at(body, 'system')),
      tools: records(at(body, 'tools')).map((tool) => toolOf(tool, 'input_schema')),
      users: withType(blocks, 'text').flatMap((block) => (block['role'] === 'user' ? [String(block['text'])] : [])),
      calls: withType(blocks, 'tool_use').map(({ name, input }) => ({ name: String(name), args: input })),
      results: withType(blocks, 'tool_result').map((block) => ({
        output: textOf(block['content']),
        isError: block['is_error'] === true,
      })),
      effort: at(at(body, 'thinking'), 'budget_tokens'),
    };
  },
  openai: (body) => {
    const items = records(at(body, 'input'));
    const said = (role: string) => items.filter((item) => item['role'] === role).map(({ content }) => textOf(content));
    return {
      system: said('developer').join(''),
      tools: records(at(body, 'tools')).map((tool) => toolOf(tool, 'parameters')),
      users: said('user'),
      calls: withType(items, 'function_call').map((item) => ({
        name: String(item['name']),
        args: parsed(item['arguments']),
      })),
      results: withType(items, 'function_call_output').map(({ output }) => errorInText(textOf(output))),
      effort: at(at(body, 'reasoning'), 'effort'),
    };
  },
  gemini: (body) => {
    const contents = records(at(body, 'contents'));
    const parts = (role: string) =>
      contents.filter((content) => content['role'] === role).flatMap((content) => records(content['parts']));
    const declared = records(at(body, 'tools')).flatMap((tool) => records(tool['functionDeclarations']));
    return {
      system: textOf(at(at(body, 'systemInstruction'), 'parts')),
      tools: declared.map((tool) => toolOf(tool, 'parametersJsonSchema')),
      users: parts('user').flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
      calls: parts('model').flatMap(({ functionCall }) =>
        functionCall === undefined
          ? []
          : [{ name: String(at(functionCall, 'name')), args: at(functionCall, 'args') ?? {} }],
      ),
      results: parts('user').flatMap(({ functionResponse }) =>
        functionResponse === undefined ? [] : [geminiResult(at(functionResponse, 'response'))],
      ),
      effort: at(at(at(body, 'generationConfig'), 'thinkingConfig'), 'thinkingBudget'),
    };
  },
};

type Json = Readonly<Record<string, unknown>>;

function at(value: unknown, key: string): unknown {
  return isRecord(value) ? value[key] : undefined;
}

function records(value: unknown): ReadonlyArray<Json> {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function withType(items: ReadonlyArray<Json>, type: string): ReadonlyArray<Json> {
  return items.filter((item) => item['type'] === type);
}

/** A text, or parts that hold one each. */
function textOf(value: unknown): string {
  return typeof value === 'string'
    ? value
    : records(value)
        .map(({ text }) => (typeof text === 'string' ? text : ''))
        .join('');
}

function toolOf(tool: Json, schema: string): Seen['tools'][number] {
  const properties = at(tool[schema], 'properties');
  return { name: String(tool['name']), parameters: isRecord(properties) ? Object.keys(properties) : [] };
}

function parsed(text: unknown): unknown {
  return typeof text === 'string' ? JSON.parse(text) : undefined;
}

/** The protocol has no error flag: the client sends errors as a JSON object with one field. */
function errorInText(output: string): Seen['results'][number] {
  const error = output.startsWith('{"error":') ? at(parsed(output), 'error') : undefined;
  return typeof error === 'string' ? { output: error, isError: true } : { output, isError: false };
}

function geminiResult(response: unknown): Seen['results'][number] {
  const error = at(response, 'error');
  return typeof error === 'string'
    ? { output: error, isError: true }
    : { output: textOf(at(response, 'content')), isError: false };
}
