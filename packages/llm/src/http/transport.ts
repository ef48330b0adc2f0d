import type { Agent, IncomingMessage } from 'node:http';
import { defined } from '@attractor/base';
import { exchange } from './exchange.ts';
import { TransportFailure } from './transport-failure.ts';
import { webBody } from './web-body.ts';

/** As in the variables HTTP_PROXY, HTTPS_PROXY and NO_PROXY; the owner of the environment reads them. */
export type Proxies = { readonly http?: string; readonly https?: string; readonly no?: string };

export type TransportOptions = {
  readonly proxies?: Proxies;
  readonly connectTimeoutMs?: number;
  /** PEM of further authorities to trust. */
  readonly ca?: string;
};

/**
 * HTTP without undici, in the shape of `fetch` that the AI SDK's providers accept. Sockets are kept alive and shared by all requests. Never
 * follows a redirect. Retries only on a stale socket.
 */
export type Transport = {
  readonly fetch: (options?: FetchOptions) => typeof globalThis.fetch;
  readonly close: () => void;
};

export type FetchOptions = {
  readonly connectTimeoutMs?: number;
  /** How a text body becomes bytes, in pieces that are sent one after the other. Absent: as UTF-8. */
  readonly encode?: (body: string) => ReadonlyArray<Uint8Array>;
};

const CONNECT_TIMEOUT_MS = 10_000;

export function createTransport(options: TransportOptions = {}): Transport {
  const pool = createPool(options);
  return {
    fetch: (own) => (input, init) => {
      const connectTimeoutMs = own?.connectTimeoutMs ?? options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
      return send({ address: input, init: init ?? {}, connectTimeoutMs, pool, encode: own?.encode ?? inUtf8 });
    },
    close: pool.close,
  };
}

type Pool = { readonly agents: (protocol: string) => { kept: Agent; fresh: Agent }; readonly close: () => void };

function createPool(options: TransportOptions): Pool {
  const { http, https, no } = options.proxies ?? {};
  const proxyEnv = { HTTP_PROXY: http, HTTPS_PROXY: https, NO_PROXY: no };
  // While a body is paused the socket keeps nothing for it: what comes stays in the kernel, and nobody is woken up for it.
  const shared = { proxyEnv, highWaterMark: 1, ...defined({ ca: options.ca }) };
  const made = new Map<string, { kept: Agent; fresh: Agent }>();
  const agents = (protocol: string): { kept: Agent; fresh: Agent } => {
    const before = made.get(protocol);
    if (before !== undefined) return before;
    const AgentClass = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http').Agent;
    const pair = {
      kept: new AgentClass({ ...shared, keepAlive: true, maxFreeSockets: 16, scheduling: 'lifo' }),
      fresh: new AgentClass(shared),
    };
    made.set(protocol, pair);
    return pair;
  };
  const close = (): void => {
    for (const { kept, fresh } of made.values()) {
      kept.destroy();
      fresh.destroy();
    }
    made.clear();
  };
  return { agents, close };
}

type Sending = {
  readonly address: string | URL | Request;
  readonly init: RequestInit;
  readonly connectTimeoutMs: number;
  readonly pool: Pool;
  readonly encode: NonNullable<FetchOptions['encode']>;
};

async function send({ address, init, connectTimeoutMs, pool, encode }: Sending): Promise<Response> {
  const url = parseAddress(address);
  const { kept, fresh } = pool.agents(url.protocol);
  const outgoing = {
    url,
    method: init.method ?? 'GET',
    headers: plainHeaders(init.headers),
    body: plainBody(init.body, encode),
    signal: init.signal ?? undefined,
    connectTimeoutMs,
    agent: kept,
  };
  const response = await exchange(outgoing, fresh);
  refuseRedirect(response, url);
  return asResponse(response, url);
}

function parseAddress(address: string | URL | Request): URL {
  const text = typeof address === 'string' ? address : address instanceof URL ? address.href : address.url;
  const url = URL.parse(text);
  if (url !== null && (url.protocol === 'http:' || url.protocol === 'https:')) return url;
  throw new TransportFailure({
    code: 'bad_url',
    phase: 'connect',
    message: `"${text}" is not an http or https address. Check the base URL.`,
  });
}

function plainHeaders(headers: RequestInit['headers']): Record<string, string> {
  if (headers === undefined) return {};
  const pairs: Iterable<ReadonlyArray<unknown>> = Symbol.iterator in headers ? headers : Object.entries(headers);
  const plain: Record<string, string> = {};
  for (const [name, value] of pairs) {
    if (typeof name === 'string' && typeof value === 'string') plain[name.toLowerCase()] = value;
  }
  return plain;
}

/** Encoded once: otherwise a long conversation would be measured and encoded again on its way to the socket. */
function plainBody(body: RequestInit['body'], encode: Sending['encode']): ReadonlyArray<Uint8Array> | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string') return encode(body);
  if (body instanceof Uint8Array) return [body];
  throw new TypeError('This transport sends text and bytes only.');
}

function inUtf8(body: string): ReadonlyArray<Uint8Array> {
  return [Buffer.from(body)];
}

function refuseRedirect(response: IncomingMessage, url: URL): void {
  const status = response.statusCode ?? 0;
  if (status < 300 || status > 399 || status === 304) return;
  response.destroy();
  const target = response.headers.location ?? 'an unnamed place';
  const message = `${url.host} redirects to ${target}. A request with credentials is not sent on; set the base URL to the final address.`;
  throw new TransportFailure({ code: 'redirect', phase: 'headers', message });
}

/** Only what the AI SDK's response handlers read: headers, status, ok, url, body, and the body as text or JSON. */
function asResponse(response: IncomingMessage, url: URL): Response {
  const status = response.statusCode ?? 0;
  const headers = new Headers(headerPairs(response));
  const body = webBody(response, { host: url.host, headers });
  const text = async (): Promise<string> => {
    let all = '';
    const decoder = new TextDecoder();
    for await (const chunk of body) all += decoder.decode(chunk, { stream: true });
    return all + decoder.decode();
  };
  const answer = {
    status,
    statusText: response.statusMessage ?? '',
    ok: status >= 200 && status < 300,
    url: url.href,
    redirected: false,
    headers,
    body,
    text,
    json: async (): Promise<unknown> => JSON.parse(await text()),
  };
  return answer as unknown as Response;
}

function headerPairs({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) pairs.push([rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']);
  return pairs;
}
