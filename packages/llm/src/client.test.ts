import { afterEach, describe, expect, it } from 'vitest';
import { createClient, createClientFromEnvironment } from './client.ts';
import { configurationFromEnvironment } from './configuration.ts';
import type { Middleware } from './middleware.ts';
import { startServer, type LocalServer } from './test-support/local-server.ts';
import { errorOf, finishOf, startWorld, type World } from './test-support/world.ts';
import { userMessage } from './types/message.ts';
import type { ModelProvider } from './types/provider.ts';
import { responseText } from './types/response.ts';
import type { StreamEvent } from './types/stream.ts';
import { NO_USAGE } from './types/usage.ts';

const closing: Array<{ readonly close: () => Promise<void> }> = [];
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
});

async function world(...args: Parameters<typeof startWorld>): Promise<World> {
  const made = await startWorld(...args);
  closing.push(made);
  return made;
}

/** A provider that says its own name. */
function named(id: string): ModelProvider {
  return {
    id,
    stream: async function* (request) {
      const message = {
        role: 'assistant' as const,
        content: [{ kind: 'TEXT' as const, text: `${id}:${request.model}` }],
      };
      const finishReason = { reason: 'stop' as const, raw: 'stop' };
      const response = {
        id: '1',
        model: request.model,
        provider: id,
        message,
        finishReason,
        usage: NO_USAGE,
        warnings: [],
      };
      yield { kind: 'STREAM_START' };
      yield { kind: 'FINISH', finishReason, usage: NO_USAGE, response };
    },
  };
}

const ASK = { model: 'm', messages: [userMessage('hi')] };

describe('routing', () => {
  it('goes by the name in the request, else to the first provider, else to the configured default', async () => {
    const providers = [named('one'), named('two')];
    const client = createClient({ providers });
    expect(responseText(await client.complete(ASK))).toBe('one:m');
    expect(responseText(await client.complete({ ...ASK, provider: 'two' }))).toBe('two:m');
    const other = createClient({ providers, configuration: { defaultProvider: 'two' } });
    expect(responseText(await other.complete(ASK))).toBe('two:m');
  });

  it('without any provider says which variables to set', async () => {
    const rejection = createClientFromEnvironment({}).complete(ASK);
    await expect(rejection).rejects.toMatchObject({
      code: 'configuration',
      retryable: false,
      message: expect.stringContaining('ANTHROPIC_API_KEY'),
    });
  });

  it('to a provider without a key names its variable and its place in the configuration', async () => {
    const rejection = createClient().complete({ ...ASK, provider: 'gemini' });
    await expect(rejection).rejects.toMatchObject({
      code: 'configuration',
      message: expect.stringMatching(/GEMINI_API_KEY or GOOGLE_API_KEY.*providers\.gemini\.apiKey/),
    });
  });

  it('to an unknown provider says how to make it known', async () => {
    const events: StreamEvent[] = [];
    for await (const event of createClient().stream({ ...ASK, provider: 'nobody' })) events.push(event);
    expect(events.map(({ kind }) => kind)).toEqual(['STREAM_START', 'ERROR']);
    expect(errorOf(events).error.message).toContain('providers.nobody.baseUrl');
  });

  it('reaches a service that is no row of the table by its protocol', async () => {
    const { simulator } = await world({ turns: [{ text: 'mine' }] });
    const client = createClient({
      configuration: {
        providers: {
          mine: { protocol: 'openai-chat', baseUrl: simulator.baseUrls['openai-chat'], apiKey: 'test-key-0001' },
        },
      },
    });
    closing.push(client);
    const response = await client.complete(ASK);
    expect([responseText(response), response.provider]).toEqual(['mine', 'mine']);
  });
});

describe('the environment', () => {
  it('gives the providers whose keys it holds, in a fixed order, with their addresses', () => {
    expect(
      configurationFromEnvironment({
        GROQ_API_KEY: 'g',
        OPENAI_API_KEY: 'o',
        OPENAI_BASE_URL: 'http://o.test/v1',
        OPENAI_ORG_ID: 'org',
        OPENAI_PROJECT_ID: 'prj',
        ANTHROPIC_API_KEY: ' a ',
        GOOGLE_API_KEY: 'x',
        GOOGLE_GEMINI_BASE_URL: 'http://g.test',
        OLLAMA_BASE_URL: 'http://127.0.0.1:1/v1',
        MISTRAL_API_KEY: '',
        HTTPS_PROXY: 'http://p.test',
        NO_PROXY: 'localhost',
      }),
    ).toEqual({
      providers: {
        anthropic: { apiKey: 'a' },
        openai: {
          apiKey: 'o',
          baseUrl: 'http://o.test/v1',
          headers: { 'openai-organization': 'org', 'openai-project': 'prj' },
        },
        gemini: { apiKey: 'x', baseUrl: 'http://g.test' },
        'openai-chat': { apiKey: 'o', baseUrl: 'http://o.test/v1' },
        ollama: { baseUrl: 'http://127.0.0.1:1/v1' },
        groq: { apiKey: 'g' },
      },
      proxies: { https: 'http://p.test', no: 'localhost' },
    });
  });
});

describe('middleware', () => {
  const tracing = (name: string, trace: string[]): Middleware =>
    async function* (request, next) {
      trace.push(`>${name}`);
      for await (const event of next({ ...request, model: `${request.model}${name}` })) {
        if (event.kind === 'FINISH') trace.push(`<${name}`);
        yield event;
      }
    };

  it('sees requests in order and events in reverse, for streams and whole answers alike', async () => {
    const trace: string[] = [];
    const client = createClient({ providers: [named('p')], middleware: [tracing('a', trace), tracing('b', trace)] });
    expect(responseText(await client.complete(ASK))).toBe('p:mab');
    expect(trace).toEqual(['>a', '>b', '<b', '<a']);
    for await (const event of client.stream(ASK)) if (event.kind === 'FINISH') trace.push('end');
    expect(trace.slice(4)).toEqual(['>a', '>b', '<b', '<a', 'end']);
  });

  it('may answer without asking anyone', async () => {
    const cache: Middleware = (request) => named('cache').stream(request);
    expect(responseText(await createClient({ middleware: [cache] }).complete({ ...ASK, provider: 'nobody' }))).toBe(
      'cache:m',
    );
  });
});

describe('connections', () => {
  const streaming = async (): Promise<{ server: LocalServer; closed: Promise<unknown> }> => {
    let onClose: (value: unknown) => void = () => undefined;
    const closed = new Promise((resolve) => {
      onClose = resolve;
    });
    const server = await startServer((request, response) => {
      request.socket.once('close', onClose);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"id":"1","model":"m","choices":[{"index":0,"delta":{"content":"Hello"}}]}\n\n');
    });
    closing.push(server);
    return { server, closed };
  };

  const clientOf = ({ url }: LocalServer): ReturnType<typeof createClient> => {
    const client = createClient({ configuration: { providers: { 'openai-chat': { baseUrl: url } }, maxRetries: 0 } });
    closing.push(client);
    return client;
  };

  it('are closed when the consumer leaves in the middle', async () => {
    const { server, closed } = await streaming();
    const seen: string[] = [];
    for await (const event of clientOf(server).stream(ASK)) {
      seen.push(event.kind);
      if (event.kind === 'TEXT_DELTA') break;
    }
    await closed;
    expect(seen).toEqual(['STREAM_START', 'TEXT_START', 'TEXT_DELTA']);
  });

  it('are closed on abort, which is told from a failure and keeps what came', async () => {
    const { server, closed } = await streaming();
    const controller = new AbortController();
    const events: StreamEvent[] = [];
    for await (const event of clientOf(server).stream({ ...ASK, abortSignal: controller.signal })) {
      events.push(event);
      if (event.kind === 'TEXT_DELTA') controller.abort();
    }
    await closed;
    const { error, partial } = errorOf(events);
    expect([error.code, error.retryable, partial === undefined ? '' : responseText(partial)]).toEqual([
      'abort',
      false,
      'Hello',
    ]);
    expect(events.map(({ kind }) => kind)).toEqual(['STREAM_START', 'TEXT_START', 'TEXT_DELTA', 'TEXT_END', 'ERROR']);
  });

  it('are not opened for a request that was aborted before', async () => {
    const { simulator, ask } = await world({ turns: [{ text: 'x' }] });
    expect(errorOf(await ask({ abortSignal: AbortSignal.abort() })).error.code).toBe('abort');
    expect(simulator.requests()).toEqual([]);
  });

  it('are used again by the next request', async () => {
    const ports = new Set<unknown>();
    const server = await startServer((request, response) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        'data: {"id":"1","model":"m","choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      );
    });
    closing.push(server);
    const client = clientOf(server);
    for (let n = 0; n < 3; n += 1) expect(responseText(await client.complete(ASK))).toBe('Hello');
    expect(ports.size).toBe(1);
  });

  it('say in one line what to do when there is nobody', async () => {
    const client = createClient({
      configuration: { providers: { ollama: { baseUrl: 'http://127.0.0.1:1/v1' } }, maxRetries: 0 },
    });
    await expect(client.complete(ASK)).rejects.toMatchObject({
      code: 'network',
      retryable: true,
      message: expect.stringContaining('nothing listens there'),
    });
  });
});

describe('a provider that throws', () => {
  it('ends the stream with an error all the same', async () => {
    const broken: ModelProvider = {
      id: 'broken',
      stream: () => {
        throw new TypeError('a bug');
      },
    };
    const client = createClient({ providers: [broken] });
    await expect(client.complete(ASK)).rejects.toMatchObject({ code: 'unknown', provider: 'broken' });
  });
});

describe('many at once', () => {
  it('do not mix', async () => {
    const conversations = Array.from({ length: 40 }, (_value, n) => ({
      match: { firstUser: { equals: `ask ${n}` } },
      turns: [{ text: `answer ${n}`, deltaChars: 3 }],
    }));
    const { client } = await world({ conversations });
    const answers = await Promise.all(
      conversations.map((_value, n) => client.complete({ ...ASK, messages: [userMessage(`ask ${n}`)] })),
    );
    expect(answers.map(responseText)).toEqual(conversations.map((_value, n) => `answer ${n}`));
  });
});

describe('a whole answer', () => {
  it('is the same streamed or complete', async () => {
    const turn = { text: 'Hello', toolCalls: [{ name: 'read_file', args: { path: 'a' }, id: 'call_1' }] };
    const { ask, client } = await world({ turns: [turn], otherwise: turn });
    const streamed = finishOf(await ask()).response;
    const { READ_FILE } = await import('./test-support/world.ts');
    const complete = await client.complete({
      model: 'claude-sonnet-4-5',
      messages: [userMessage('go')],
      tools: [READ_FILE],
    });
    expect(complete.message).toEqual(streamed.message);
    expect(complete.finishReason).toEqual({ reason: 'tool_calls', raw: 'tool_use' });
  });
});
