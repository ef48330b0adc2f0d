import { defined, messageOf } from '@attractor/base';
import { type Endpoint, fillPath, type Query, readEndpoint } from './endpoint.ts';
import { LEFT_HEADER, readLeft } from './listed.ts';
import { decodeFailure, failure, type Answer, type Failure } from './failure.ts';

/** `app.fetch` of a server in the same process fits, and so does the platform's own `fetch`. */
export type Fetch = (request: Request) => Response | Promise<Response>;

/** One exchange without the platform's `Request` and `Response`, which take longer to load than a short command runs. */
export type Send = (url: string, outgoing: Outgoing) => Promise<Answered>;

export type Outgoing = {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly signal?: AbortSignal;
};

export type Answered = Pick<Response, 'ok' | 'status' | 'body' | 'text'> & { readonly headers: Pick<Headers, 'get'> };

export type HttpOptions = {
  /** Where the server is, without a slash at the end; in a browser `location.origin`. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
  /** In place of `fetch`, for programs that start often. */
  readonly send?: Send;
  /** Headers of every call: a program's token, a page's proof of origin. Read for each call. */
  readonly headers: () => Readonly<Record<string, string>>;
};

/** The input of a call. */
export type Call = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Query;
  /** JSON, or raw bytes. */
  readonly body?: unknown;
  readonly signal?: AbortSignal;
};

/** One exchange of JSON. Never throws: a failure on the way has the code `network`. */
export async function ask<Value>(http: HttpOptions, endpoint: Endpoint, call: Call = {}): Promise<Answer<Value>> {
  const response = await send(http, endpoint, call);
  if (!response.ok) return response;
  if (!response.value.ok) return { ok: false, error: await failureOf(response.value) };
  try {
    const left = readLeft(response.value.headers.get(LEFT_HEADER));
    return { ok: true, value: JSON.parse(await response.value.text()), ...(left === 0 ? {} : { left }) };
  } catch {
    return { ok: false, error: failure('network', 'The answer of the server broke off. Try again.') };
  }
}

/** Opens a stream; its body is left to the caller. */
export async function open(
  http: HttpOptions,
  endpoint: Endpoint,
  call: Call,
): Promise<Answer<ReadableStream<Uint8Array>>> {
  const response = await send(http, endpoint, call);
  if (!response.ok) return response;
  const body = response.value.ok ? response.value.body : null;
  return body === null ? { ok: false, error: await failureOf(response.value) } : { ok: true, value: body };
}

async function send(http: HttpOptions, endpoint: Endpoint, call: Call): Promise<Answer<Answered>> {
  const { method, path } = readEndpoint(endpoint);
  try {
    const url = `${http.baseUrl}${fillPath(path, call.params, call.query)}`;
    const outgoing: Outgoing = {
      method,
      ...(method === 'GET' ? { headers: http.headers() } : content(call.body, http.headers())),
      ...defined({ signal: call.signal }),
    };
    const answered = http.send?.(url, outgoing) ?? http.fetch(new Request(url, outgoing));
    return { ok: true, value: await answered };
  } catch (error) {
    const reason = messageOf(error);
    // A page asks where it came from: it names no address.
    const server = http.baseUrl === '' ? 'The server' : `The server at ${http.baseUrl}`;
    const message = `${server} did not answer (${reason}). Check that it runs: attractor serve`;
    return { ok: false, error: failure('network', message) };
  }
}

/** Every call but a read declares its content, even if it is empty: no foreign form can do that. */
function content(body: unknown, headers: Readonly<Record<string, string>>): Pick<Outgoing, 'headers' | 'body'> {
  if (body instanceof Uint8Array)
    return { headers: { ...headers, 'content-type': 'application/octet-stream' }, body: Uint8Array.from(body) };
  return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) };
}

async function failureOf(response: Answered): Promise<Failure> {
  const body: unknown = await response
    .text()
    .then((text): unknown => JSON.parse(text))
    .catch(() => null);
  return decodeFailure(body) ?? failure('internal', `The server answered ${response.status} without saying why.`);
}
