import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from './test-support/runs.ts';
import type * as light from './light-schema.ts';

/** zod, or what stands in for it, and the AI SDK's providers on top of it. */
type World = Pick<typeof light, 'z' | 'safeParseAsync'> & { readonly [provider in Provider]: CreateProvider };
type Provider = 'createAnthropic' | 'createOpenAI' | 'createOpenAICompatible' | 'createGoogle';
type CreateProvider = (settings: Readonly<Record<string, unknown>>) => (model: string) => {
  readonly doStream: (call: object) => Promise<{ readonly stream: ReadableStream<Part> }>;
};
type Part = { readonly type: string; readonly [field: string]: unknown };

const CONTENTS = `
export { z, safeParseAsync } from 'zod/v4';
export { createAnthropic } from '@ai-sdk/anthropic';
export { createOpenAI } from '@ai-sdk/openai';
export { createOpenAICompatible } from '@ai-sdk/openai-compatible';
export { createGoogle } from '@ai-sdk/google';`;

const inPlaceOfZod: Plugin = {
  name: 'in-place-of-zod',
  setup(building) {
    building.onResolve({ filter: /^zod\/v4/ }, ({ path }) =>
      path.includes('locales')
        ? { path, namespace: 'no-language' }
        : { path: join(import.meta.dirname, 'light-schema.ts') },
    );
    building.onLoad({ filter: /.*/, namespace: 'no-language' }, () => ({
      contents: 'export default () => undefined;',
    }));
  },
};

let folder: string;
let zod: World;
let ours: World;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attractor-light-'));
  [zod, ours] = await Promise.all([world('zod', []), world('light', [inPlaceOfZod])]);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function world(name: string, plugins: Plugin[]): Promise<World> {
  const outfile = join(folder, `${name}.mjs`);
  const stdin = { contents: CONTENTS, resolveDir: import.meta.dirname, loader: 'ts' as const };
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', target: 'node24', plugins });
  return import(outfile);
}

type Make = (z: typeof light.z) => ReturnType<typeof light.z.string>;

const SCHEMAS: Readonly<Record<string, Make>> = {
  text: (z) => z.string(),
  'a number': (z) => z.number(),
  'a whole number': (z) => z.number().int(),
  'a number within bounds': (z) => z.union([z.number().positive(), z.number().gt(1), z.number().int().nonnegative()]),
  'text of a length': (z) => z.string().min(1).max(3),
  'text like a pattern': (z) => z.string().regex(/^\d/),
  'null or nothing': (z) => z.string().nullish(),
  'a literal': (z) => z.literal('a'),
  'one of several': (z) => z.enum(['a', 'b']),
  'a list': (z) => z.array(z.number()).min(1),
  'a pair': (z) => z.tuple([z.string(), z.number()]),
  'any JSON': (z) => z.json(),
  'an object': (z) =>
    z.object({ a: z.string(), b: z.number().optional(), c: z.boolean().nullable(), d: z.unknown().nullish() }),
  'an object with anything in a field': (z) => z.object({ a: z.unknown(), b: z.any().optional() }),
  'an object that keeps the rest': (z) => z.object({ a: z.string().nullish() }).loose(),
  'an object that reads the rest': (z) => z.object({ a: z.string().nullish() }).catchall(z.number()),
  'an object that refuses the rest': (z) => z.object({ a: z.string().optional() }).strict(),
  'an object with more fields': (z) => z.object({ a: z.string() }).extend({ b: z.literal(1).nullish() }),
  'a default': (z) => z.object({ a: z.array(z.string()).optional().default([]), b: z.never().optional() }),
  'something instead of what does not fit': (z) => z.object({ a: z.string().nullish().catch(undefined) }),
  'a change': (z) =>
    z.object({
      a: z
        .unknown()
        .nullish()
        .transform((value) => typeof value),
    }),
  'a condition': (z) => z.object({ a: z.number() }).refine((value) => Reflect.get(Object(value), 'a') !== 1, 'not one'),
  'names and values': (z) => z.record(z.string(), z.number().nullable()),
  'either of two': (z) => z.union([z.object({ a: z.string() }), z.object({ a: z.number(), b: z.string().optional() })]),
  'a choice': (z) =>
    z.discriminatedUnion('a', [
      z.object({ a: z.literal('a'), b: z.string() }),
      z.object({ a: z.enum(['b', 'c']), c: z.number().optional() }),
      z.discriminatedUnion('a', [z.object({ a: z.literal('d') })]),
    ]),
  'both of two': (z) =>
    z.intersection(z.record(z.string(), z.json()), z.object({ a: z.string(), b: z.number().nullish() })),
  'one that holds itself': (z) => {
    const tree: ReturnType<Make> = z.lazy(() => z.object({ a: z.union([z.string(), z.array(tree)]) }));
    return tree;
  },
};

const leaf = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'd', '1x', 'abcd'),
  fc.constantFrom(0, 1, 2.5),
  fc.boolean(),
  fc.constant(null),
);
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

describe('a light schema takes what zod takes, and gives what zod gives', () => {
  it.each(Object.entries(SCHEMAS))('%s', async (_name, make) => {
    const [wanted, light] = [make(zod.z), make(ours.z)];
    await fc.assert(
      fc.asyncProperty(anyValue, async (value) => {
        const [one, other] = [await zod.safeParseAsync(wanted, value), await ours.safeParseAsync(light, value)];
        expect(other.success).toBe(one.success);
        if (one.success && other.success) expect(other.data).toStrictEqual(one.data);
      }),
      { numRuns: runs(150) },
    );
  });
});

it('knows every word of zod that the providers use', async () => {
  const text = await readFile(join(folder, 'light.mjs'), 'utf8');
  const lines = text.split('\n').filter((line) => /\bz\d*\.[a-z]/.test(line));
  const words = (pattern: RegExp): ReadonlyArray<string> =>
    lines.flatMap((line) => [...line.matchAll(pattern)].flatMap(([, word]) => word ?? []));
  const methods = new Set(Object.keys(zod.z.object({})).concat(Object.keys(zod.z.number())));
  const missing = [
    ...words(/\bz\d*\.([a-zA-Z]+)\(/g).filter((word) => word in zod.z && !(word in ours.z)),
    ...words(/\)\.([a-zA-Z]+)\(/g).filter((word) => methods.has(word) && !(word in ours.z.object({}))),
  ];
  expect([...new Set(missing)]).toStrictEqual([]);
});

type Stream = { readonly create: Provider; readonly settings: object; readonly events: ReadonlyArray<object> };

const usage = { input_tokens: 3, output_tokens: 2 };
const STREAMS: Readonly<Record<string, Stream>> = {
  anthropic: {
    create: 'createAnthropic',
    settings: { baseURL: 'http://x/v1' },
    events: [
      {
        type: 'message_start',
        message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], usage },
      },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'tool_use', id: 't', name: 'shell', input: {} } },
      { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'ping' },
      { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 9 } },
      { type: 'message_stop' },
    ],
  },
  openai: {
    create: 'createOpenAI',
    settings: { baseURL: 'http://x' },
    events: [
      { type: 'response.created', response: { id: 'r', created_at: 1, model: 'x' } },
      { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'i' } },
      { type: 'response.output_text.delta', item_id: 'i', delta: 'Hello', output_index: 0, content_index: 0 },
      { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'i', content: [] } },
      {
        type: 'response.output_item.added',
        output_index: 1,
        item: { type: 'function_call', id: 'f', call_id: 'c', name: 'shell', arguments: '' },
      },
      { type: 'response.function_call_arguments.delta', item_id: 'f', output_index: 1, delta: '{"a":1}' },
      {
        type: 'response.output_item.done',
        output_index: 1,
        item: {
          type: 'function_call',
          id: 'f',
          call_id: 'c',
          name: 'shell',
          arguments: '{"a":1}',
          status: 'completed',
        },
      },
      {
        type: 'response.completed',
        response: {
          id: 'r',
          usage: { ...usage, input_tokens_details: { cached_tokens: 1 }, output_tokens_details: {} },
        },
      },
    ],
  },
  'openai-chat': {
    create: 'createOpenAICompatible',
    settings: { baseURL: 'http://x', name: 'x' },
    events: [
      { id: 'c', created: 1, model: 'x', choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi' } }] },
      {
        id: 'c',
        choices: [
          {
            index: 0,
            delta: { tool_calls: [{ index: 0, id: 't', function: { name: 'shell', arguments: '{"a":1}' } }] },
          },
        ],
      },
      { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
      { id: 'c', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
    ],
  },
  gemini: {
    create: 'createGoogle',
    settings: { baseURL: 'http://x/v1beta' },
    events: [
      { candidates: [{ content: { role: 'model', parts: [{ text: 'hm', thought: true, thoughtSignature: 's' }] } }] },
      { candidates: [{ content: { role: 'model', parts: [{ functionCall: { name: 'shell', args: { a: 1 } } }] } }] },
      {
        candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP', safetyRatings: [] }],
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
      },
    ],
  },
};

/** One event of the stream with one of its fields gone, renamed or of another kind. */
type Damage = {
  readonly at: number;
  readonly field: number;
  readonly how: 'drop' | 'rename' | 'replace';
  readonly value: unknown;
};

const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(20),
  field: fc.nat(30),
  how: fc.constantFrom('drop', 'rename', 'replace'),
  value: anyValue,
});

describe('a provider on light schemas says the same as on zod', () => {
  it.each(Object.entries(STREAMS))('%s, of a sound stream and of broken ones', async (_name, stream) => {
    const sound = await partsOf(zod, stream, stream.events);
    expect(sound.map(({ type }) => type)).toContain('tool-call');
    expect(await partsOf(ours, stream, stream.events)).toStrictEqual(sound);
    await fc.assert(
      fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 3 }), async (damages) => {
        const events = damages.reduce(damaged, stream.events);
        expect(await partsOf(ours, stream, events)).toStrictEqual(await partsOf(zod, stream, events));
      }),
      { numRuns: runs(60) },
    );
  });
});

async function partsOf(on: World, stream: Stream, events: ReadonlyArray<object>): Promise<ReadonlyArray<Part>> {
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const fetch = async (): Promise<Response> =>
    new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } });
  const model = on[stream.create]({ ...stream.settings, apiKey: 'k', fetch, generateId: () => 'id' })('x');
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
  const parts: Part[] = [];
  try {
    const { stream: answer } = await model.doStream({ prompt });
    for await (const part of answer) parts.push(withoutWords(part));
  } catch (error) {
    parts.push({ type: 'thrown', name: error instanceof Error ? error.name : '' });
  }
  return parts;
}

/** Errors are compared by their class, since each words its complaint in its own way; ids that a provider makes up not at all. */
function withoutWords(part: Part): Part {
  const fields = Object.entries(part).map(([name, value]) => {
    if (value instanceof Error) return [name, value.name];
    return [name, typeof value === 'string' ? value.replace(/^[A-Za-z0-9]{16}$/, 'made up') : value];
  });
  return { type: part.type, ...Object.fromEntries(fields) };
}

function damaged(events: ReadonlyArray<object>, { at, field, how, value }: Damage): ReadonlyArray<object> {
  const place = at % events.length;
  const copy: unknown = JSON.parse(JSON.stringify(events[place]));
  const fields = [...fieldsOf(copy)];
  const chosen = fields[field % fields.length];
  if (chosen === undefined) return events;
  const { owner, key } = chosen;
  if (how === 'replace') Reflect.set(owner, key, value);
  else {
    if (how === 'rename') Reflect.set(owner, `${key}_x`, Reflect.get(owner, key));
    Reflect.deleteProperty(owner, key);
  }
  return events.with(place, Object(copy));
}

function* fieldsOf(value: unknown): Generator<{ readonly owner: object; readonly key: string }> {
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    yield { owner: value, key };
    yield* fieldsOf(Reflect.get(value, key));
  }
}
