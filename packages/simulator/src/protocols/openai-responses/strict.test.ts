import { describe, expect, it } from 'vitest';
import { sealThinking } from '../../answer/signature.ts';
import { createScriptedModel } from '../../scripted-model.ts';
import { bodyOf } from '../../wire/http.ts';

type Json = Record<string, unknown>;
interface Refusal {
  status: number;
  error: { type: string; message: string; param: string | null; code: string | null } | null;
}

function ask(body: unknown, headers: Record<string, string> = { authorization: 'Bearer sk-x' }): Refusal {
  const model = createScriptedModel({ apiKeys: ['sk-x'], turns: [{ text: 'fine', repeat: 'forever' }] });
  const response = model.handle({ method: 'POST', path: '/responses', headers, body: JSON.stringify(body) });
  const { error } = JSON.parse(bodyOf(response)) as Pick<Refusal, 'error'>;
  return { status: response.status, error };
}

const base: Json = { model: 'm', input: 'hi' };
const input = (...items: unknown[]): Json => ({ model: 'm', input: items });
const user = (content: unknown): Json => ({ role: 'user', content });
const call = (id: string, extra: Json = {}): Json => ({
  type: 'function_call',
  call_id: id,
  name: 'read',
  arguments: '{}',
  ...extra,
});
const output = (id: string): Json => ({ type: 'function_call_output', call_id: id, output: 'ok' });
const reasoning = (extra: Json = {}): Json => ({ type: 'reasoning', id: 'rs_1', summary: [], ...extra });
const tool = (name: unknown, parameters: unknown = { type: 'object', properties: {} }, extra: Json = {}): Json => ({
  ...base,
  tools: [{ type: 'function', name, parameters, ...extra }],
});
const open = { type: 'object', properties: { a: { type: 'string' } } };
const format = (schema: unknown): Json => ({
  ...base,
  text: { format: { type: 'json_schema', name: 'n', strict: true, schema } },
});

const REFUSED: [string, unknown, string, string | null][] = [
  ['no model', { input: 'x' }, "Missing required parameter: 'model'.", 'missing_required_parameter'],
  ['no input', { model: 'm' }, "Missing required parameter: 'input'.", 'missing_required_parameter'],
  ['an unknown field', { ...base, messages: [] }, "Unknown parameter: 'messages'.", 'unknown_parameter'],
  [
    'a response it never gave',
    { ...base, previous_response_id: 'resp_1' },
    "Previous response with id 'resp_1' not found.",
    'previous_response_not_found',
  ],
  [
    'too few output tokens',
    { ...base, max_output_tokens: 5 },
    "Invalid 'max_output_tokens': integer below minimum value.",
    'integer_below_min_value',
  ],
  [
    'an output for no call',
    input(user('x'), output('c1')),
    'No tool call found for function call output with call_id c1.',
    null,
  ],
  [
    'an output before its call',
    input(user('x'), output('c1'), call('c1')),
    'No tool call found for function call output with call_id c1.',
    null,
  ],
  [
    'a call without an output',
    input(user('x'), call('c1'), user('y')),
    'No tool output found for function call c1.',
    null,
  ],
  [
    'reasoning with nothing after it',
    input(user('x'), reasoning()),
    "Item 'rs_1' of type 'reasoning' was provided without its required following item.",
    null,
  ],
  [
    'reasoning before a user message',
    input(user('x'), reasoning(), user('y')),
    'without its required following item',
    null,
  ],
  [
    'reasoning that was changed',
    input(user('x'), reasoning({ encrypted_content: 'abc' }), call('c'), output('c')),
    'The encrypted content for item rs_1 could not be verified.',
    'invalid_encrypted_content',
  ],
  [
    'an item twice',
    input(user('x'), call('c', { id: 'fc_1' }), call('d', { id: 'fc_1' }), output('c'), output('d')),
    'Duplicate item found with id fc_1.',
    null,
  ],
  [
    'an id of another kind',
    input(user('x'), call('c', { id: 'toolu_1' }), output('c')),
    "Expected an ID that begins with 'fc'.",
    'invalid_value',
  ],
  [
    'a call without its reasoning',
    input(user('x'), call('c', { id: `fc_${'a'.repeat(40)}r1` }), output('c')),
    "was provided without its required 'reasoning' item",
    null,
  ],
  [
    'arguments as an object',
    input(user('x'), call('c', { arguments: {} }), output('c')),
    "Invalid type for 'input[1].arguments': expected a string, but got an object instead.",
    'invalid_type',
  ],
  [
    'an empty call id',
    input(user('x'), call(''), output('')),
    "Invalid 'input[1].call_id': empty string.",
    'empty_string',
  ],
  [
    'a call id that is too long',
    input(user('x'), call('c'.repeat(65)), output('c')),
    'string too long',
    'string_above_max_length',
  ],
  [
    'a call of a nameless tool',
    input(user('x'), call('c', { name: 'a b' }), output('c')),
    "Invalid 'input[1].name': string does not match pattern.",
    'invalid_value',
  ],
  [
    'the text type of the other side',
    input({ role: 'assistant', content: [{ type: 'input_text', text: 'x' }] }),
    "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
    'invalid_value',
  ],
  ['an unknown role', input({ role: 'tool', content: 'x' }), "Invalid value: 'tool'.", 'invalid_value'],
  ['an unknown item', input({ type: 'tool_use' }), "Invalid value: 'tool_use'.", 'invalid_value'],
  [
    'a broken image',
    input(user([{ type: 'input_image', image_url: 'nowhere' }])),
    'Expected a valid URL',
    'invalid_value',
  ],
  [
    'the nested tool shape of Chat',
    { ...base, tools: [{ type: 'function', function: { name: 'a' } }] },
    "Missing required parameter: 'tools[0].name'.",
    'missing_required_parameter',
  ],
  [
    'a tool name with a dot',
    tool('a.b'),
    "Invalid 'tools[0].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    'invalid_value',
  ],
  [
    'a tool name that is too long',
    tool('a'.repeat(65)),
    'Expected a string with maximum length 64, but got a string with length 65 instead.',
    'string_above_max_length',
  ],
  [
    'two tools with one name',
    {
      ...base,
      tools: [
        { type: 'function', name: 'a' },
        { type: 'function', name: 'a' },
      ],
    },
    "duplicate function name 'a'",
    'invalid_value',
  ],
  [
    'a schema that is no object',
    tool('a', { type: 'string' }),
    `schema must be a JSON Schema of 'type: "object"', got 'type: "string"'.`,
    'invalid_function_parameters',
  ],
  ['a schema without a type', tool('a', {}), `got 'type: "None"'.`, 'invalid_function_parameters'],
  [
    'a list without items',
    tool('a', { type: 'object', properties: { x: { type: 'array' } } }),
    "In context=('properties', 'x'), array schema missing items.",
    'invalid_function_parameters',
  ],
  [
    'a strict schema that is open',
    tool('a', open, { strict: true }),
    "In context=(), 'additionalProperties' is required to be supplied and to be false.",
    'invalid_function_parameters',
  ],
  [
    'a strict schema with an optional field',
    tool('a', { ...open, additionalProperties: false, required: [] }, { strict: true }),
    "an array including every key in properties. Missing 'a'.",
    'invalid_function_parameters',
  ],
  [
    'a strict schema that is open inside',
    tool(
      'a',
      { type: 'object', properties: { x: open }, required: ['x'], additionalProperties: false },
      { strict: true },
    ),
    "In context=('properties', 'x'), 'additionalProperties'",
    'invalid_function_parameters',
  ],
  ['an open schema for the answer', format(open), "Invalid schema for response_format 'n'", 'invalid_json_schema'],
  [
    'a choice of an unknown tool',
    { ...tool('a'), tool_choice: { type: 'function', name: 'b' } },
    "Tool choice 'b' not found in 'tools' parameter.",
    null,
  ],
  [
    'a choice in the shape of Chat',
    { ...tool('a'), tool_choice: { type: 'function', function: { name: 'a' } } },
    "Missing required parameter: 'tool_choice.name'.",
    'missing_required_parameter',
  ],
  [
    'a forced choice without tools',
    { ...base, tool_choice: 'required' },
    "must be specified with 'tools' parameter",
    null,
  ],
];

describe('the Responses protocol refuses', () => {
  it.each(REFUSED)('%s', (_name, body, message, code) => {
    const { status, error } = ask(body);
    expect(status).toBe(400);
    expect(error?.type).toBe('invalid_request_error');
    expect(error?.message).toContain(message);
    expect(error?.code).toBe(code);
  });

  it('no key and a wrong key, with 401', () => {
    expect(ask(base, {})).toMatchObject({
      status: 401,
      error: { message: expect.stringContaining("You didn't provide an API key") as string },
    });
    expect(ask(base, { authorization: 'Bearer sk-wrong-key' })).toMatchObject({
      status: 401,
      error: { code: 'invalid_api_key' },
    });
  });

  it('reasoning that was never stored, with 404', () => {
    const body = { ...input(user('x'), reasoning(), call('c'), output('c')), store: false };
    expect(ask(body)).toMatchObject({
      status: 404,
      error: { message: expect.stringContaining('Items are not persisted') as string },
    });
  });
});

const ACCEPTED: [string, unknown][] = [
  ['parallel calls in any order of their outputs', input(user('x'), call('a'), call('b'), output('b'), output('a'))],
  [
    'sealed reasoning and its call',
    {
      ...input(user('x'), reasoning({ encrypted_content: sealThinking('m', 'hm') }), call('c'), output('c')),
      store: false,
    },
  ],
  ['a tool that is not strict', tool('a', open, { strict: false })],
  ['a closed strict tool', tool('a', { ...open, required: ['a'], additionalProperties: false }, { strict: true })],
  ['an image by data URL', input(user([{ type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' }]))],
];

describe('the Responses protocol accepts', () => {
  it.each(ACCEPTED)('%s', (_name, body) => {
    expect(ask(body)).toMatchObject({ status: 200, error: null });
  });
});
