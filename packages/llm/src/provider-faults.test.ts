import type { ScriptInput } from '@attractor/simulator';
import { afterEach, describe, expect, it } from 'vitest';
import { wireErrorClass } from './errors/wire-class.ts';
import {
  errorOf,
  finishOf,
  type ProviderName,
  PROVIDERS,
  shownText,
  startWorld,
  type World,
  type WorldOptions,
} from './test-support/world.ts';
import { startServer } from './test-support/local-server.ts';
import { responseText } from './types/response.ts';
import type { StreamEvent } from './types/stream.ts';

type Turn = NonNullable<ScriptInput['turns']>[number];

const worlds: World[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

async function world(turn: Turn, options: WorldOptions = {}): Promise<World> {
  const made = await startWorld({ turns: [turn] }, options);
  worlds.push(made);
  return made;
}

const LONG = 'A sentence that is long enough to be sent in many pieces. '.repeat(20);

describe.each(PROVIDERS)('P1 a rate limit of %s', (provider) => {
  it.each([
    ['seconds', { retryAfter: 7 }, 7000, 7000],
    ['milliseconds', { retryAfterMs: 1234 }, 1234, 1234],
    ['an HTTP date', { retryAfterDate: 30 }, 20_000, 31_000],
  ] as const)(
    'is waited for as the header says it in %s, then the answer comes',
    async (_form, header, least, most) => {
      const { ask, waits } = await world(
        { text: 'fine', fault: { kind: 'rate_limit', ...header, times: 1 } },
        { provider },
      );
      expect(responseText(finishOf(await ask()).response)).toBe('fine');
      expect(waits).toHaveLength(1);
      expect(waits[0]).toBeGreaterThanOrEqual(least);
      expect(waits[0]).toBeLessThanOrEqual(most);
    },
  );

  it('that asks for more than a minute is surfaced at once with its time', async () => {
    const { ask, waits } = await world(
      { text: 'x', fault: { kind: 'rate_limit', retryAfter: 3600, times: 'forever' } },
      { provider },
    );
    const { error } = errorOf(await ask());
    expect([error.code, error.retryable, error.retryAfterMs, error.status, wireErrorClass(error)]).toEqual([
      'rate_limit',
      true,
      3_600_000,
      429,
      'rate_limit',
    ]);
    expect(waits).toEqual([]);
  });
});

describe('P1 the wait before a retry', () => {
  it('doubles with jitter where the provider names no time', async () => {
    const { ask, waits } = await world(
      { text: 'x', fault: { kind: 'rate_limit', times: 2 } },
      { retry: { random: () => 0.25 } },
    );
    finishOf(await ask());
    expect(waits).toEqual([750, 1500]);
  });

  it('ends as soon as the request is aborted', async () => {
    const controller = new AbortController();
    const retry = { sleep: undefined, onRetry: () => controller.abort() };
    const made = await startWorld({
      turns: [{ text: 'x', fault: { kind: 'rate_limit', retryAfter: 50, times: 'forever' } }],
    });
    worlds.push(made);
    const { createClient } = await import('./client.ts');
    const client = createClient({
      configuration: {
        providers: { anthropic: { apiKey: 'test-key-0001', baseUrl: made.simulator.baseUrls.anthropic } },
      },
      retry: { onRetry: retry.onRetry },
    });
    const events: StreamEvent[] = [];
    for await (const event of client.stream({ model: 'm', messages: [], abortSignal: controller.signal }))
      events.push(event);
    await client.close();
    expect(errorOf(events).error.code).toBe('abort');
  });
});

describe.each(PROVIDERS)('P2 a spend cap of %s', (provider) => {
  it('is never retried and says where to go', async () => {
    const { ask, waits, simulator } = await world(
      { text: 'x', fault: { kind: 'spend_cap', times: 'forever' } },
      { provider },
    );
    const { error } = errorOf(await ask());
    expect([error.code, error.retryable, wireErrorClass(error)]).toEqual(['quota_exceeded', false, 'quota']);
    expect(error.message).toContain('console');
    expect([waits, simulator.requests()]).toEqual([[], [expect.anything()]]);
  });
});

describe.each(PROVIDERS)('P3 a failing service behind %s', (provider) => {
  it.each([500, 502, 503, 504, 529])('that answers %i is asked again and nothing of it shows', async (status) => {
    const { ask, waits } = await world({ text: 'fine', fault: { kind: 'status', status, times: 2 } }, { provider });
    const events = await ask();
    expect(shownText(events)).toBe('fine');
    expect(events.filter(({ kind }) => kind === 'STREAM_START')).toHaveLength(1);
    expect(waits).toEqual([1000, 2000]);
  });

  it.each(['json', 'html', 'text', 'empty'] as const)(
    'is given up after two retries, whatever its body is: %s',
    async (body) => {
      const { ask, simulator } = await world(
        { text: 'x', fault: { kind: 'status', status: 503, body, times: 'forever' } },
        { provider },
      );
      const { error } = errorOf(await ask());
      expect([error.code, error.status, error.retryable]).toEqual(['server', 503, true]);
      expect(simulator.requests()).toHaveLength(3);
    },
  );
});

describe.each(PROVIDERS)('P4 an overload of %s', (provider) => {
  it('inside a stream that has shown nothing is retried invisibly', async () => {
    const { ask, waits } = await world(
      { text: 'fine', fault: { kind: 'overloaded', at: 'start', times: 1 } },
      { provider },
    );
    const events = await ask();
    expect([shownText(events), waits.length]).toEqual(['fine', 1]);
    expect(events.filter(({ kind }) => kind === 'STREAM_START')).toHaveLength(1);
  });

  it('after output keeps the text as partial, is not retried and gives no tool call', async () => {
    const turn: Turn = {
      text: LONG,
      toolCalls: [{ name: 'read_file', args: { path: 'a' } }],
      deltaChars: 20,
      fault: { kind: 'overloaded', at: 'output', times: 'forever' },
    };
    const { ask, simulator } = await world(turn, { provider });
    const events = await ask();
    const { error, partial } = errorOf(events);
    expect([error.code, error.retryable]).toEqual(['overloaded', true]);
    expect(partial === undefined ? '' : responseText(partial)).toBe(shownText(events));
    expect(shownText(events)).not.toBe('');
    expect(events.some(({ kind }) => kind === 'TOOL_CALL_END')).toBe(false);
    expect(simulator.requests()).toHaveLength(1);
  });
});

describe.each(PROVIDERS)('P5 a connection of %s that is cut', (provider) => {
  it.each(['reset', 'end', 'clean'] as const)(
    'by %s in the middle of output is an error of the stream, with the partial text and no half call',
    async (how) => {
      const turn: Turn = {
        text: LONG,
        toolCalls: [{ name: 'read_file', args: { path: 'a'.repeat(400) } }],
        deltaChars: 20,
        fault: { kind: 'cut', atFraction: 0.6, how, times: 'forever' },
      };
      const { ask, simulator } = await world(turn, { provider });
      const events = await ask();
      const { error, partial } = errorOf(events);
      expect([error.code, error.retryable, wireErrorClass(error)]).toEqual(['stream', true, 'network']);
      expect(LONG.startsWith(shownText(events))).toBe(true);
      expect(partial?.message.content.some(({ kind }) => kind === 'TOOL_CALL') ?? false).toBe(false);
      expect(simulator.requests()).toHaveLength(1);
    },
  );

  it.each(['reset', 'end', 'clean'] as const)('by %s before any output is asked again', async (how) => {
    const { ask, waits } = await world(
      { text: 'fine', fault: { kind: 'cut', atByte: 20, how, times: 1 } },
      { provider },
    );
    expect([shownText(await ask()), waits.length]).toEqual(['fine', 1]);
  });

  it('at its very last event is not taken for a whole answer', async () => {
    const { ask } = await world(
      { text: LONG, fault: { kind: 'cut', atFraction: 0.97, how: 'clean', times: 'forever' } },
      { provider },
    );
    const last = (await ask()).at(-1);
    if (last?.kind === 'ERROR') expect(last.error.code).toBe('stream');
    else expect(last?.kind === 'FINISH' ? responseText(last.response) : '').toBe(LONG);
  });
});

describe.each(PROVIDERS)('P6 a stream of %s that stalls', (provider) => {
  const timeouts = { idle: 250 };
  it.each([
    ['without the headers', { kind: 'stall', headers: 'held' }],
    ['after some bytes', { kind: 'stall', atByte: 300 }],
    ['with pings only', { kind: 'pings', everyMs: 20, count: 'forever' }],
    ['with a byte now and then', { kind: 'slow', bytes: 1, everyMs: 100 }],
  ] as const)('%s ends by the idle limit, which tells it from an abort', async (_how, fault) => {
    const { ask } = await world(
      { text: LONG, fault: { ...fault, times: 'forever' } },
      { provider, retry: { maxRetries: 0 } },
    );
    const { error } = errorOf(await ask({ timeouts }));
    expect([error.code, error.retryable, wireErrorClass(error)]).toEqual(['timeout', true, 'network']);
    expect(error.message).toContain('0.25 s');
  });

  it('does not run out while a slow consumer takes its time', async () => {
    const { client } = await world({ text: LONG, deltaChars: 40 }, { provider });
    let slept = false;
    let last = '';
    for await (const event of client.stream({ model: 'gpt-5', messages: [], timeouts })) {
      if (event.kind === 'TEXT_DELTA' && !slept) {
        slept = true;
        await new Promise((resolve) => setTimeout(resolve, 400));
      }
      last = event.kind;
    }
    expect(last).toBe('FINISH');
  });
});

describe('P6 the total limit', () => {
  it('ends an answer that flows but does not end, and is not retried', async () => {
    const { ask, simulator } = await world({ text: LONG, deltaChars: 5, eventDelayMs: 30 });
    const { error, partial } = errorOf(await ask({ timeouts: { total: 2_000 } }));
    expect([error.code, error.retryable]).toEqual(['timeout', false]);
    expect(partial).toBeDefined();
    expect(simulator.requests()).toHaveLength(1);
  });
});

const WHOLE = { id: 'c', object: 'chat.completion', choices: [{ index: 0, message: { content: 'all of it' } }] };

describe('P16 what comes with status 200 and is no stream of events', () => {
  it.each<readonly [provider: ProviderName, type: string, body: unknown, code: string, says: RegExp, tries: number]>([
    [
      'anthropic',
      'text/html',
      '<title>Sign in\n here</title>',
      'configuration',
      /web page \("Sign in here"\).*base URL/,
      1,
    ],
    ['openai', 'text/html; charset=utf-8', 'nothing', 'configuration', /answered with a web page, not as a model/, 1],
    [
      'openai-chat',
      'application/json',
      { error: { message: 'is loading', code: 503 } },
      'server',
      /\(503\): is loading/,
      3,
    ],
    ['openai-chat', 'application/json', { error: 'no such model' }, 'unknown', /no such model/, 3],
    [
      'anthropic',
      'application/json',
      { error: { type: 'overloaded_error', message: 'Busy' } },
      'overloaded',
      /Busy/,
      3,
    ],
    [
      'gemini',
      'application/json',
      [{ error: { code: 403, message: 'Not for you' } }],
      'access_denied',
      /Not for you/,
      1,
    ],
    ['openai-chat', 'application/json', WHOLE, 'configuration', /in one piece.*support streaming/, 1],
    [
      'openai',
      'text/event-stream',
      'data: {"type":"error","message":"Later","code":"rate_limit_exceeded"}\n\n',
      'rate_limit',
      /Later/,
      3,
    ],
    [
      'openai',
      'text/event-stream',
      'data: {"type":"response.failed","response":{"error":{"message":"Gone"}}}\n\n',
      'unknown',
      /Gone/,
      3,
    ],
  ])('of %s (%s) is told as what it is', async (provider, type, body, code, says, tries) => {
    let asked = 0;
    const server = await startServer((_request, response) => {
      asked += 1;
      response.writeHead(200, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body));
    });
    const { ask } = await world({ text: 'x' }, { provider, settings: { baseUrl: server.url } });
    const { error } = errorOf(await ask());
    expect([error.code, error.message, asked]).toEqual([code, expect.stringMatching(says), tries]);
    await server.close();
  });
});
