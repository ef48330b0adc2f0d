import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../scripted-model.ts';
import { bodyOf } from '../../wire/http.ts';

type Json = Record<string, unknown>;
interface Refusal {
  status: number;
  error?: { type: string; message: string; param: string | null };
}

function ask(body: unknown): Refusal {
  const model = createScriptedModel({ turns: [{ text: 'fine', repeat: 'forever' }] });
  const headers = { authorization: 'Bearer sk-x' };
  const response = model.handle({ method: 'POST', path: '/v1/chat/completions', headers, body: JSON.stringify(body) });
  return { status: response.status, ...(JSON.parse(bodyOf(response)) as object) };
}

const messages = (...list: unknown[]): Json => ({ model: 'm', messages: list });
const user = (content: unknown = 'x'): Json => ({ role: 'user', content });
const base = messages(user());
const calls = (...ids: string[]): Json => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } })),
});
const result = (id: string): Json => ({ role: 'tool', tool_call_id: id, content: 'ok' });
const tool = (definition: unknown): Json => ({ ...base, tools: [{ type: 'function', function: definition }] });

const REFUSED: [string, unknown, string][] = [
  ['no model', { messages: [user()] }, 'you must provide a model parameter'],
  ['no messages', { model: 'm' }, "Missing required parameter: 'messages'."],
  ['an empty list of messages', messages(), "Invalid 'messages': empty array."],
  ['an unknown field', { ...base, input: 'x' }, 'Unrecognized request argument supplied: input'],
  ['an unknown role', messages({ role: 'model', content: 'x' }), "Invalid value: 'model'. Supported values are:"],
  [
    'a tool message with no call before it',
    messages(user(), result('c1')),
    "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
  ],
  [
    'a tool message for another call',
    messages(user(), calls('c1'), result('c2')),
    "must be a response to a preceeding message with 'tool_calls'",
  ],
  [
    'a call nobody answers',
    messages(user(), calls('c1'), user()),
    'The following tool_call_ids did not have response messages: c1',
  ],
  [
    'a call answered only in part',
    messages(user(), calls('c1', 'c2'), result('c1')),
    'did not have response messages: c2',
  ],
  [
    'a user message in between',
    messages(user(), calls('c1'), user(), result('c1')),
    'did not have response messages: c1',
  ],
  ['a user message without content', messages(user(null)), "Invalid value for 'content': expected a string, got null."],
  [
    'an assistant message with neither content nor calls',
    messages(user(), { role: 'assistant', content: null }),
    "Invalid value for 'content'",
  ],
  ['an empty content list', messages(user([])), "Invalid 'messages[0].content': empty array."],
  [
    'an empty list of calls',
    messages(user(), { role: 'assistant', content: 'x', tool_calls: [] }),
    "Invalid 'messages[1].tool_calls': empty array.",
  ],
  [
    'arguments as an object',
    messages(
      user(),
      { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'a', arguments: {} } }] },
      result('c'),
    ),
    "Invalid type for 'messages[1].tool_calls[0].function.arguments'",
  ],
  ['a part of an unknown type', messages(user([{ type: 'input_text', text: 'x' }])), "Invalid value: 'input_text'."],
  ['a broken image', messages(user([{ type: 'image_url', image_url: { url: 'nowhere' } }])), 'Expected a valid URL'],
  ['an empty list of tools', { ...base, tools: [] }, "Invalid 'tools': empty array."],
  [
    'the flat tool shape of Responses',
    { ...base, tools: [{ type: 'function', name: 'a' }] },
    "Missing required parameter: 'tools[0].function'.",
  ],
  [
    'a tool name with a space',
    tool({ name: 'a b' }),
    "Invalid 'tools[0].function.name': string does not match pattern.",
  ],
  [
    'two tools with one name',
    { ...base, tools: ['a', 'a'].map((name) => ({ type: 'function', function: { name } })) },
    "duplicate function name 'a'",
  ],
  [
    'a strict schema that is open',
    tool({ name: 'a', strict: true, parameters: { type: 'object', properties: {} } }),
    "'additionalProperties' is required",
  ],
  [
    'a choice without tools',
    { ...base, tool_choice: 'auto' },
    "'tool_choice' is only allowed when 'tools' are specified.",
  ],
  ['stream options without a stream', { ...base, stream_options: {} }, "only allowed when 'stream' is enabled"],
  ['two limits', { ...base, max_tokens: 5, max_completion_tokens: 5 }, 'at the same time is not supported'],
  [
    'JSON that was never mentioned',
    { ...base, response_format: { type: 'json_object' } },
    "must contain the word 'json'",
  ],
];

describe('the Chat Completions protocol refuses', () => {
  it.each(REFUSED)('%s', (_name, body, message) => {
    const { status, error } = ask(body);
    expect(status).toBe(400);
    expect(error?.type).toBe('invalid_request_error');
    expect(error?.message).toContain(message);
  });
});

describe('the Chat Completions protocol accepts', () => {
  it.each<[string, unknown]>([
    [
      'parallel calls in any order of their results',
      messages(user(), calls('a', 'b'), result('b'), result('a'), user()),
    ],
    ['an empty text', messages(user(''), { role: 'assistant', content: '' }, user())],
    ['a developer message', messages({ role: 'developer', content: 'x' }, user())],
  ])('%s', (_name, body) => {
    expect(ask(body).status).toBe(200);
  });
});
