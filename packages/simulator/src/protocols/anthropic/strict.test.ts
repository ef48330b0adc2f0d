import { describe, expect, it } from 'vitest';
import { signThinking } from '../../answer/signature.ts';
import { createScriptedModel } from '../../scripted-model.ts';
import { bodyOf } from '../../wire/http.ts';

const HEADERS = { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' };

function ask(
  body: unknown,
  headers: Record<string, string> = HEADERS,
): { status: number; error: { type: string; message: string } } {
  const model = createScriptedModel({ turns: [{ text: 'fine', repeat: 'forever' }] });
  const response = model.handle({ method: 'POST', path: '/v1/messages', headers, body: JSON.stringify(body) });
  const { error } = JSON.parse(bodyOf(response)) as { error: { type: string; message: string } };
  return { status: response.status, error };
}

type Json = Record<string, unknown>;
const base: Json = { model: 'm', max_tokens: 100, messages: [{ role: 'user', content: 'hi' }] };
const without = (name: string): Json => Object.fromEntries(Object.entries(base).filter(([field]) => field !== name));
const messages = (...list: unknown[]): Json => ({ ...base, messages: list });
const user = (content: unknown): Json => ({ role: 'user', content });
const assistant = (content: unknown): Json => ({ role: 'assistant', content });
const use = (id: string, name = 'read'): Json => ({ type: 'tool_use', id, name, input: {} });
const result = (id: string): Json => ({ type: 'tool_result', tool_use_id: id, content: 'ok' });
const tool = (name: string, schema: unknown = { type: 'object', properties: {} }): Json => ({
  name,
  input_schema: schema,
});
const text = (value: string, extra: Json = {}): Json => ({ type: 'text', text: value, ...extra });
const image = (source: Json): Json => messages(user([{ type: 'image', source: { type: 'base64', ...source } }]));
const thinking = { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 2000 };
const marked = { cache_control: { type: 'ephemeral' } };
const png = `iVBORw0KGgo${'A'.repeat(100)}`;

const REFUSED: [string, unknown, string][] = [
  ['no max_tokens', without('max_tokens'), 'max_tokens: Field required'],
  ['a max_tokens that is not a number', { ...base, max_tokens: '5' }, 'max_tokens: Input should be a valid integer'],
  ['a max_tokens of zero', { ...base, max_tokens: 0 }, 'max_tokens: Input should be greater than or equal to 1'],
  ['no model', without('model'), 'model: Field required'],
  ['no messages', without('messages'), 'messages: Field required'],
  ['an empty list of messages', messages(), 'messages: at least one message is required'],
  ['an unknown field', { ...base, foo: 1 }, 'foo: Extra inputs are not permitted'],
  ['an unknown field of a message', messages({ ...user('x'), id: 1 }), 'messages.0.id: Extra inputs are not permitted'],
  [
    "a first message that is not the user's",
    messages(assistant('hi'), user('x')),
    'first message must use the "user" role',
  ],
  ['the system role', messages({ role: 'system', content: 'x' }), 'Unexpected role "system"'],
  [
    'the tool role',
    messages(user('x'), { role: 'tool', content: 'x' }),
    "messages.1.role: Input should be 'user' or 'assistant'",
  ],
  ['an empty text block', messages(user([text('')])), 'messages: text content blocks must be non-empty'],
  [
    'a blank text block',
    messages(user([text(' \n')])),
    'messages: text content blocks must contain non-whitespace text',
  ],
  [
    'a blank text block of the assistant',
    messages(user('x'), assistant([text('  ')]), user('y')),
    'must contain non-whitespace text',
  ],
  ['an empty content', messages(user('')), 'messages.0: all messages must have non-empty content'],
  [
    'an empty content list',
    messages(user('x'), assistant([]), user('y')),
    'messages.1: all messages must have non-empty content',
  ],
  ['an empty system block', { ...base, system: [text('')] }, 'system: text content blocks must be non-empty'],
  [
    'a call without a result',
    messages(user('x'), assistant([use('t1')]), user('y')),
    'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: t1.',
  ],
  ['a call at the end', messages(user('x'), assistant([use('t1')])), '`tool_use` ids were found without'],
  [
    'a call answered only in part',
    messages(user('x'), assistant([use('t1'), use('t2')]), user([result('t1')])),
    'immediately after: t2.',
  ],
  [
    'a result for no call',
    messages(user([result('t9')])),
    'messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: t9.',
  ],
  [
    'a result for an older call',
    messages(user('x'), assistant([use('t1')]), user([result('t1')]), assistant('ok'), user([result('t1')])),
    'messages.4.content.0: unexpected `tool_use_id`',
  ],
  [
    'a result behind text',
    messages(user('x'), assistant([use('t1')]), user([text('so'), result('t1')])),
    '`tool_use` ids were found without',
  ],
  [
    'two results for one call',
    messages(user('x'), assistant([use('t1')]), user([result('t1'), result('t1')])),
    'each tool_use must have a single result',
  ],
  [
    'two calls with one id',
    messages(user('x'), assistant([use('t1'), use('t1')]), user([result('t1')])),
    '`tool_use` ids must be unique',
  ],
  [
    'an empty call id',
    messages(user('x'), assistant([use('')]), user([result('')])),
    "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ],
  [
    'a call whose input is no object',
    messages(user('x'), assistant([{ ...use('a'), input: 'x' }]), user([result('a')])),
    'tool_use.input: Input should be a valid dictionary',
  ],
  ['a call by the user', messages(user([use('t1')])), '`tool_use` blocks are not permitted in `user` messages'],
  [
    'a result by the assistant',
    messages(user('x'), assistant([result('t1')])),
    '`tool_result` blocks are not permitted in `assistant` messages',
  ],
  ['a block of an unknown type', messages(user([{ type: 'smell' }])), "Input tag 'smell' found using 'type'"],
  [
    'a tool name with a space',
    { ...base, tools: [tool('read file')] },
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  ],
  [
    'a tool name that is too long',
    { ...base, tools: [tool('a'.repeat(129))] },
    'tools.0.custom.name: String should have at most 128 characters',
  ],
  ['two tools with one name', { ...base, tools: [tool('a'), tool('a')] }, 'tools: Tool names must be unique.'],
  ['a tool without a schema', { ...base, tools: [{ name: 'a' }] }, 'tools.0.custom.input_schema: Field required'],
  ['a schema without a type', { ...base, tools: [tool('a', {})] }, 'tools.0.custom.input_schema.type: Field required'],
  [
    'a schema that is no object',
    { ...base, tools: [tool('a', { type: 'string' })] },
    "tools.0.custom.input_schema.type: Input should be 'object'",
  ],
  [
    'a schema with a choice on top',
    { ...base, tools: [tool('a', { type: 'object', anyOf: [] })] },
    'does not support oneOf, allOf, or anyOf at the top level',
  ],
  [
    'a schema that is none',
    { ...base, tools: [tool('a', { type: 'object', properties: { x: 'string' } })] },
    'JSON schema is invalid',
  ],
  [
    'a choice of an unknown tool',
    { ...base, tools: [tool('a')], tool_choice: { type: 'tool', name: 'b' } },
    "Tool 'b' not found in provided tools",
  ],
  [
    'a choice without tools',
    { ...base, tool_choice: { type: 'auto' } },
    'tool_choice may only be specified while providing `tools`',
  ],
  ['a choice as a string', { ...base, tools: [tool('a')], tool_choice: 'auto' }, 'tool_choice: Input tag'],
  [
    'thinking without a signature',
    messages(user('x'), assistant([{ type: 'thinking', thinking: 'hm' }, text('a')]), user('y')),
    'messages.1.content.0.thinking.signature: Field required',
  ],
  [
    "thinking with another's signature",
    messages(user('x'), assistant([{ type: 'thinking', thinking: 'hm', signature: 'abc' }, text('a')]), user('y')),
    'messages.1.content.0: Invalid `signature` in `thinking` block',
  ],
  [
    'thinking of another model',
    messages(
      user('x'),
      assistant([{ type: 'thinking', thinking: 'hm', signature: signThinking('other', 'hm') }, text('a')]),
      user('y'),
    ),
    'Invalid `signature`',
  ],
  [
    'redacted thinking made up',
    messages(user('x'), assistant([{ type: 'redacted_thinking', data: 'abc' }, text('a')]), user('y')),
    'Invalid `data` in `redacted_thinking` block',
  ],
  [
    'a small thinking budget',
    { ...base, thinking: { type: 'enabled', budget_tokens: 10 } },
    'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
  ],
  [
    'a thinking budget over the limit',
    { ...base, thinking: { type: 'enabled', budget_tokens: 1024 } },
    '`max_tokens` must be greater than `thinking.budget_tokens`',
  ],
  [
    'thinking with a temperature',
    { ...base, ...thinking, temperature: 0 },
    '`temperature` may only be set to 1 when thinking is enabled',
  ],
  [
    'thinking with a forced tool',
    { ...base, ...thinking, tools: [tool('a')], tool_choice: { type: 'any' } },
    'Thinking may not be enabled when tool_choice forces tool use.',
  ],
  [
    'calls that lost their thinking',
    { ...messages(user('x'), assistant([use('t1')]), user([result('t1')])), ...thinking },
    'Expected `thinking` or `redacted_thinking`, but found `tool_use`',
  ],
  ['an unknown kind of thinking', { ...base, thinking: { type: 'hard' } }, "thinking: Input tag 'hard'"],
  [
    'an answer to continue that ends in a space',
    messages(user('x'), assistant('well ')),
    'final assistant content cannot end with trailing whitespace',
  ],
  [
    'five cache markers',
    messages(user([1, 2, 3, 4, 5].map((at) => text(`t${at}`, marked)))),
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  ],
  [
    'a cache marker on an empty text',
    messages(user([text('', marked)])),
    'cache_control cannot be set for empty text blocks',
  ],
  [
    'a cache marker on thinking',
    messages(
      user('x'),
      assistant([{ type: 'thinking', thinking: 'a', signature: signThinking('m', 'a'), ...marked }, text('a')]),
      user('y'),
    ),
    'thinking.cache_control: Extra inputs are not permitted',
  ],
  [
    'an image of an unknown type',
    image({ media_type: 'image/bmp', data: png }),
    "media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  ],
  ['an image with a wrong label', image({ media_type: 'image/jpeg', data: png }), 'appears to be a image/png image'],
  [
    'an image over 5 MB',
    image({ media_type: 'image/png', data: `iVBORw0KGgo${'A'.repeat(7_000_000)}` }),
    'image exceeds 5 MB maximum',
  ],
  ['an empty image', image({ media_type: 'image/png', data: '' }), 'image cannot be empty'],
  [
    'an image as a data URL',
    image({ media_type: 'image/png', data: `data:image/png;base64,${png}` }),
    'Invalid base64 data',
  ],
  ['a blank stop sequence', { ...base, stop_sequences: [' '] }, 'each stop sequence must contain non-whitespace'],
  ['a temperature over one', { ...base, temperature: 1.5 }, 'temperature: range: 0..1'],
];

describe('the Messages protocol refuses', () => {
  it.each(REFUSED)('%s', (_name, body, message) => {
    const { status, error } = ask(body);
    expect(status).toBe(400);
    expect(error.type).toBe('invalid_request_error');
    expect(error.message).toContain(message);
  });

  it('a request without a key, with 401', () => {
    expect(ask(base, { 'anthropic-version': '2023-06-01' })).toMatchObject({
      status: 401,
      error: { type: 'authentication_error', message: 'x-api-key header is required' },
    });
  });

  it('a request without a version', () => {
    expect(ask(base, { 'x-api-key': 'k' })).toMatchObject({
      status: 400,
      error: { message: 'anthropic-version: header is required' },
    });
  });
});

const signed = { type: 'thinking', thinking: 'hm', signature: signThinking('m', 'hm') };
const ACCEPTED: [string, unknown][] = [
  [
    'calls, results and then text',
    messages(user('x'), assistant([text('a'), use('t1'), use('t2')]), user([result('t2'), result('t1'), text('and')])),
  ],
  [
    'results split over two user messages',
    messages(user('x'), assistant([use('t1'), use('t2')]), user([result('t1')]), user([result('t2')])),
  ],
  ['neighbouring messages of one role', messages(user('x'), user('y'))],
  [
    'thinking that comes back as it was',
    { ...messages(user('x'), assistant([signed, use('t1')]), user([result('t1')])), ...thinking },
  ],
  [
    'later calls of a loop without thinking of their own',
    {
      ...messages(
        user('x'),
        assistant([signed, use('t1')]),
        user([result('t1')]),
        assistant([use('t2')]),
        user([result('t2')]),
      ),
      ...thinking,
    },
  ],
  [
    'a result without content',
    messages(user('x'), assistant([use('t1')]), user([{ type: 'tool_result', tool_use_id: 't1' }])),
  ],
  [
    'an empty result',
    messages(user('x'), assistant([use('t1')]), user([{ type: 'tool_result', tool_use_id: 't1', content: '' }])),
  ],
  ['an image by URL', messages(user([{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }]))],
  ['an answer to continue', messages(user('x'), assistant('well'))],
];

describe('the Messages protocol accepts', () => {
  it.each(ACCEPTED)('%s', (_name, body) => {
    expect(ask(body)).toMatchObject({ status: 200 });
  });
});
