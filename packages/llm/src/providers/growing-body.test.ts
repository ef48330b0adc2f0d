import fc from 'fast-check';
import { anyCharacter } from '@attractor/base/testing/any-character';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type Client } from '../client.ts';
import { startServer, type LocalServer } from '../test-support/local-server.ts';
import { runs } from '../test-support/runs.ts';
import { READ_FILE } from '../test-support/world.ts';
import type { ContentPart } from '../types/content.ts';
import { assistantMessage, systemMessage, toolMessage, userMessage, type Message } from '../types/message.ts';
import { growingBody } from './growing-body.ts';

const MODEL = 'claude-sonnet-4-5';
const bodies: string[] = [];
let server: LocalServer;
let client: Client;

beforeAll(async () => {
  server = await startServer((_request, response, body) => {
    bodies.push(body);
    response.writeHead(400, { 'content-type': 'application/json' }).end('{}');
  });
  client = createClient({ configuration: { providers: { anthropic: { apiKey: 'k', baseUrl: server.url } } } });
});
afterAll(async () => {
  await client.close();
  await server.close();
});

describe('the bytes on the wire', () => {
  it('are those of the whole conversation, however it grew, branched or was asked for again', async () => {
    await fc.assert(
      fc.asyncProperty(conversations, async ({ rounds, branch, cache }) => {
        const whole = [systemMessage('Be brief.'), userMessage('Go on.'), ...rounds.flat()];
        const other = [...whole.slice(0, whole.length - (rounds.at(-1)?.length ?? 0)), ...branch];
        for (const history of [...beginnings(rounds, whole), other, whole]) {
          const grown = await sent(history, cache);
          expect(grown).toBe(await sent(structuredClone(history), cache));
        }
      }),
      { numRuns: runs(10) },
    );
  });
});

describe('a conversation that grows', () => {
  it('is converted from its newest turns only', async () => {
    const history = [userMessage('Go on.'), ...[1, 2, 3].flatMap((id) => round(id, []))];
    await sent(history, 'auto');
    const longer = [...history, ...round(4, [])];
    const terms = JSON.stringify([`anthropic/${MODEL}`, { anthropic: { autoCache: true } }, null, null, null]);
    expect(growingBody(longer, terms)?.messages).toEqual(longer.slice(-4));
    expect(growingBody(longer, 'other terms')?.messages).toBe(longer);
  });

  it('is sent as a whole when it holds more than words, calls and results', () => {
    const image = { kind: 'IMAGE' as const, source: { url: 'https://pictures.test/cat.jpg' } };
    const history = [userMessage([image]), ...[1, 2, 3].flatMap((id) => round(id, []))];
    expect(growingBody(history, '')).toBeNull();
  });
});

const words = fc.oneof(
  fc.string({ unit: anyCharacter(), minLength: 1 }),
  fc.constantFrom('é😀', '"messages":[', '\\u0000', ' x '),
);

const before = fc.array(
  fc.oneof(
    words.map((text): ContentPart => ({ kind: 'TEXT', text })),
    words.map((text): ContentPart => {
      return { kind: 'THINKING', text, signature: `sig${text.length}`, origin: `anthropic/${MODEL}` };
    }),
  ),
  { maxLength: 2 },
);

const args = fc.oneof(fc.dictionary(words, fc.jsonValue()), fc.constant({ before: [1], tools: [2] }));

const conversations = fc
  .record({
    turns: fc.array(fc.record({ before, output: words, args, more: fc.option(words) }), { minLength: 2, maxLength: 7 }),
    cache: fc.constantFrom('auto' as const, 'off' as const),
  })
  .map(({ turns, cache }) => ({
    cache,
    rounds: turns.map((turn, id) => round(id, turn.before, turn)),
    branch: round(99, []),
  }));

type Details = {
  readonly output?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly more?: string | null;
};

/** What the model said and called, the result, and perhaps what a person added. */
function round(id: number, said: ReadonlyArray<ContentPart>, details: Details = {}): ReadonlyArray<Message> {
  const { output = 'fine', args = { path: 'x' }, more = null } = details;
  const toolCallId = `call_${id}`;
  return [
    assistantMessage([...said, { kind: 'TOOL_CALL', toolCallId, toolName: 'read_file', args }]),
    toolMessage({ toolCallId, output, isError: id % 3 === 0 }),
    ...(more === null ? [] : [userMessage(more)]),
  ];
}

function beginnings(
  rounds: ReadonlyArray<ReadonlyArray<Message>>,
  whole: ReadonlyArray<Message>,
): ReadonlyArray<ReadonlyArray<Message>> {
  return rounds.map((_, at) => whole.slice(0, 2 + rounds.slice(0, at + 1).flat().length));
}

async function sent(messages: ReadonlyArray<Message>, cache: 'auto' | 'off'): Promise<string> {
  const request = {
    provider: 'anthropic',
    model: MODEL,
    messages,
    tools: [READ_FILE],
    providerOptions: { anthropic: { autoCache: cache === 'auto' } },
  };
  bodies.length = 0;
  for await (const _ of client.stream(request));
  await new Promise((resolve) => setImmediate(resolve));
  expect(bodies).toHaveLength(1);
  return bodies[0] ?? '';
}
