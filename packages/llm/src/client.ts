import { modelNamed } from './catalog/index.ts';
import { defined } from '@attractor/base';
import { collect } from './collect.ts';
import { configurationFromEnvironment, type LlmConfiguration } from './configuration.ts';
import { toLlmError } from './errors/provider-error.ts';
import { createTransport } from './http/transport.ts';
import { compose, type Middleware } from './middleware.ts';
import { configurationError, createConfiguredProvider, defaultProviderId } from './configured-provider.ts';
import { retryStream, type RetryPolicy } from './retry.ts';
import { totalLimit, withIdleLimit } from './timeouts.ts';
import { LlmError } from './types/error.ts';
import type { ModelProvider } from './types/provider.ts';
import type { Request } from './types/request.ts';
import type { Response } from './types/response.ts';
import type { StreamEvent } from './types/stream.ts';

/**
 * The entry point to every model. Stateless between requests, safe for concurrent use.
 * `stream` retries before the first output only and ends with FINISH or ERROR; `complete` is the same stream collected, and rejects with
 * `LlmError`.
 */
export type Client = {
  readonly stream: (request: Request) => AsyncIterable<StreamEvent>;
  readonly complete: (request: Request) => Promise<Response>;
  readonly provider: (id?: string) => Promise<ModelProvider>;
  readonly close: () => Promise<void>;
};

export type ClientOptions = {
  /** Made by the caller; found by their id before any configured one, and the first of them is the default. */
  readonly providers?: ReadonlyArray<ModelProvider>;
  readonly configuration?: LlmConfiguration;
  readonly middleware?: ReadonlyArray<Middleware>;
  readonly retry?: RetryPolicy;
};

/** A client for the given and the configured providers. Nothing is loaded or connected before the first request. */
export function createClient(options: ClientOptions = {}): Client {
  const { configuration = {} } = options;
  const registry = createRegistry(options);
  const exchange = (request: Request): AsyncIterable<StreamEvent> => attempt(request, registry.find, options);
  const stream = compose(options.middleware ?? [], exchange);
  const prepared = (request: Request): Request => withTimeouts(request, configuration);
  return {
    stream: (request) => stream(prepared(request)),
    complete: (request) => collect(stream(prepared(request))),
    provider: registry.find,
    close: registry.close,
  };
}

/** The providers whose keys are in the given environment; it is a parameter, since this package never reads `process.env`. */
export function createClientFromEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  options: Omit<ClientOptions, 'configuration'> = {},
): Client {
  return createClient({ ...options, configuration: configurationFromEnvironment(env) });
}

type Registry = { readonly find: (id?: string) => Promise<ModelProvider>; readonly close: () => Promise<void> };

function createRegistry({ providers = [], configuration = {} }: ClientOptions): Registry {
  const { proxies, ca, timeouts } = configuration;
  const transport = createTransport({
    ...defined({ proxies, ca, connectTimeoutMs: timeouts?.connect }),
  });
  const made = new Map<string, Promise<ModelProvider>>();
  const find = async (wanted?: string): Promise<ModelProvider> => {
    const id = wanted ?? configuration.defaultProvider ?? providers[0]?.id ?? defaultProviderId(configuration);
    if (id === undefined) throw noProvider();
    const given = providers.find((provider) => provider.id === id);
    if (given !== undefined) return given;
    const known = made.get(id);
    if (known !== undefined) return known;
    const fresh = createConfiguredProvider(id, configuration, transport);
    made.set(id, fresh);
    fresh.catch(() => made.delete(id));
    return fresh;
  };
  const close = async (): Promise<void> => {
    await Promise.all(providers.map(async (provider) => provider.close?.()));
    transport.close();
  };
  return { find, close };
}

async function* attempt(request: Request, find: Registry['find'], options: ClientOptions): AsyncGenerator<StreamEvent> {
  let provider: ModelProvider;
  try {
    provider = await find(request.provider);
  } catch (error) {
    yield { kind: 'STREAM_START' };
    yield { kind: 'ERROR', error: error instanceof LlmError ? error : configurationError(String(error)) };
    return;
  }
  const limit = totalLimit(provider.id, request.abortSignal, request.timeouts);
  const { aliases = {} } = options.configuration?.providers?.[provider.id] ?? {};
  const named: Request = { ...request, model: aliases[request.model] ?? modelNamed(request.model) };
  const limited: Request = limit.signal === undefined ? named : { ...named, abortSignal: limit.signal };
  const maxRetries = request.maxRetries ?? options.retry?.maxRetries ?? options.configuration?.maxRetries;
  const policy = { ...options.retry, ...defined({ maxRetries }) };
  try {
    yield* retryStream(() => withFreshCredential(provider, limited), policy, limit.signal);
  } catch (error) {
    // A provider must not throw; if it does, the consumer still gets an ERROR event.
    yield { kind: 'ERROR', error: toLlmError(error, { provider: provider.id, model: request.model }) };
  } finally {
    limit.release();
  }
}

/** A refused key is renewed once, if it can be; if that is refused too, a person has to fix it. */
async function* withFreshCredential(provider: ModelProvider, request: Request): AsyncGenerator<StreamEvent> {
  const refresh = provider.refreshCredential;
  let start: StreamEvent | undefined;
  for await (const event of withIdleLimit(provider, request)) {
    if (event.kind === 'STREAM_START' && refresh !== undefined) {
      start = event;
      continue;
    }
    const isRefused = event.kind === 'ERROR' && event.error.code === 'authentication' && start !== undefined;
    if (isRefused && refresh !== undefined && (await refresh())) {
      yield* withIdleLimit(provider, request);
      return;
    }
    if (start !== undefined) yield start;
    start = undefined;
    yield event;
  }
}

function withTimeouts(request: Request, configuration: LlmConfiguration): Request {
  return configuration.timeouts === undefined
    ? request
    : { ...request, timeouts: { ...configuration.timeouts, ...request.timeouts } };
}

function noProvider(): LlmError {
  return configurationError(
    'No model provider is set up. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY in the environment, or providers in the configuration.',
  );
}
