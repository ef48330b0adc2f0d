import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../scripted-model.ts';
import { bodyOf } from '../../wire/http.ts';

type Json = Record<string, unknown>;
interface Refusal {
  status: number;
  error?: { code: number; message: string; status: string };
}

function ask(body: unknown, path = '/v1beta/models/m:generateContent?key=k'): Refusal {
  const model = createScriptedModel({ apiKeys: ['k'], turns: [{ text: 'fine', repeat: 'forever' }] });
  const response = model.handle({ method: 'POST', path, headers: {}, body: JSON.stringify(body) });
  return { status: response.status, ...(JSON.parse(bodyOf(response)) as object) };
}

const content = (role: string, ...parts: unknown[]): Json => ({ role, parts });
const contents = (...list: unknown[]): Json => ({ contents: list });
const user = content('user', { text: 'x' });
const call = (name = 'read'): Json => ({ functionCall: { name, args: {} } });
const response = (name = 'read'): Json => ({ functionResponse: { name, response: { output: 'ok' } } });
const tool = (parameters: unknown, name = 'a'): Json => ({
  ...contents(user),
  tools: [{ functionDeclarations: [{ name, parameters }] }],
});
const property = (schema: unknown): Json => tool({ type: 'OBJECT', properties: { x: schema } });

const REFUSED: [string, unknown, string][] = [
  ['no contents', {}, 'GenerateContentRequest.contents: contents is not specified'],
  ['an unknown field', { ...contents(user), messages: [] }, 'Unknown name "messages": Cannot find field.'],
  ['an unknown role', contents(content('assistant', { text: 'x' })), 'Please use a valid role: user, model.'],
  ['no parts', contents(content('user')), 'contents[0].parts: contents.parts must not be empty.'],
  [
    'an empty text',
    contents(content('user', { text: '' })),
    "contents[0].parts[0].data: required oneof field 'data' must have one initialized field",
  ],
  ['an empty part', contents(content('user', {})), "required oneof field 'data'"],
  [
    'an empty system instruction',
    { ...contents(user), systemInstruction: { parts: [{ text: '' }] } },
    "system_instruction.parts[0].data: required oneof field 'data'",
  ],
  [
    'too few responses',
    contents(user, content('model', call(), call()), content('user', response())),
    'the number of function response parts is equal to the number of function call parts',
  ],
  [
    'too many responses',
    contents(user, content('model', call()), content('user', response(), response())),
    'the number of function response parts is equal',
  ],
  [
    'a call nobody answers',
    contents(user, content('model', call()), user),
    'the number of function response parts is equal',
  ],
  [
    'a call at the start',
    contents(content('model', call()), content('user', response())),
    'function call turn comes immediately after a user turn or after a function response turn.',
  ],
  [
    'a call after the model spoke',
    contents(user, content('model', { text: 'a' }), content('model', call()), content('user', response())),
    'function call turn comes immediately after a user turn',
  ],
  [
    'a response to nothing',
    contents(user, content('model', { text: 'a' }), content('user', response())),
    'function response turn comes immediately after a function call turn.',
  ],
  [
    'a response without a name',
    contents(user, content('model', call()), content('user', response(''))),
    'function_response.name: Name cannot be empty.',
  ],
  [
    'a response that is a string',
    contents(user, content('model', call()), content('user', { functionResponse: { name: 'read', response: 'ok' } })),
    'google.protobuf.Struct',
  ],
  [
    'a file of an unknown type',
    contents(content('user', { inlineData: { mimeType: 'font/woff', data: 'aaaa' } })),
    'Unsupported MIME type: font/woff',
  ],
  [
    'a function name with a space',
    tool({ type: 'OBJECT', properties: {} }, 'a b'),
    'Invalid function name. Must start with a letter or an underscore.',
  ],
  [
    'a function name that starts with a digit',
    tool({ type: 'OBJECT', properties: {} }, '1a'),
    'Invalid function name.',
  ],
  [
    'two functions with one name',
    { ...contents(user), tools: [{ functionDeclarations: [{ name: 'a' }, { name: 'a' }] }] },
    'Duplicate function declaration found: a',
  ],
  ['parameters that are no object', tool({ type: 'STRING' }), 'parameters schema should be of type OBJECT'],
  ['a property without a type', property({ description: 'x' }), 'parameters.properties[x].type: must be specified'],
  ['a list without items', property({ type: 'ARRAY' }), 'parameters.properties[x].items: missing field.'],
  [
    'an unknown type',
    property({ type: 'any' }),
    "Invalid value at 'tools[0].function_declarations[0].parameters.properties[x].type'",
  ],
  ['a list of types', property({ type: ['string', 'null'] }), 'Proto field is not repeating, cannot start list.'],
  ['a schema field it does not know', property({ type: 'string', $ref: '#/x' }), 'Unknown name "$ref" at'],
  ['an enum of numbers', property({ type: 'INTEGER', enum: [1] }), 'enum: only allowed for STRING type'],
  [
    'a required property that is not there',
    tool({ type: 'OBJECT', properties: {}, required: ['y'] }),
    'required[0]: property is not defined',
  ],
  [
    'a schema for an answer that is not JSON',
    { ...contents(user), generationConfig: { responseSchema: { type: 'STRING' } } },
    "only allowed when response_mime_type is 'application/json'",
  ],
  [
    'a signature that was changed',
    contents(user, content('model', { ...call(), thoughtSignature: 'abc' }), content('user', response())),
    'Corrupted thought signature.',
  ],
  [
    'a choice of an unknown function',
    { ...contents(user), toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['z'] } } },
    'allowed function name z is not declared',
  ],
];

describe('the Gemini protocol refuses', () => {
  it.each(REFUSED)('%s', (_name, body, message) => {
    const { status, error } = ask(body);
    expect(status).toBe(400);
    expect(error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
    expect(error?.message).toContain(message);
  });

  it('no key with 403, and a wrong one with 400', () => {
    expect(ask(contents(user), '/v1beta/models/m:generateContent')).toMatchObject({
      status: 403,
      error: { status: 'PERMISSION_DENIED' },
    });
    expect(ask(contents(user), '/v1beta/models/m:generateContent?key=z')).toMatchObject({
      status: 400,
      error: { details: [{ reason: 'API_KEY_INVALID' }] },
    });
  });
});

describe('the Gemini protocol accepts', () => {
  it.each<[string, unknown]>([
    [
      'parallel calls with their responses',
      contents(
        user,
        content('model', { text: 'a' }, call('p'), call('q')),
        content('user', response('p'), response('q')),
      ),
    ],
    [
      'several rounds of calls',
      contents(
        user,
        content('model', call()),
        content('user', response()),
        content('model', call()),
        content('user', response()),
      ),
    ],
    [
      'responses in two contents',
      contents(user, content('model', call(), call()), content('user', response()), content('user', response())),
    ],
    ['a content without a role', contents({ parts: [{ text: 'x' }] })],
    ['lower-case types', property({ type: 'array', items: { type: 'string' } })],
    [
      'a placeholder signature',
      contents(
        user,
        content('model', { ...call(), thoughtSignature: 'skip_thought_signature_validator' }),
        content('user', response()),
      ),
    ],
  ])('%s', (_name, body) => {
    expect(ask(body).status).toBe(200);
  });
});
