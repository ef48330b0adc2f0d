import { messageOf } from '@attractor/base';
import { decodeFailure, failure, type Answer, type Failure } from './failure.ts';

/** `app.fetch` of a server in the same process fits, and so does the platform's own `fetch`. */
export type Fetch = (request: Request) => Response | Promise<Response>;

export type HttpOptions = {
  /** Where the server is, without a slash at the end; in a browser `location.origin`. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
  /** Headers of every call: the token of a program, the proof of origin of a page. Asked for each call. */
  readonly headers: () => Readonly<Record<string, string>>;
};

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** JSON, or bytes that go as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** One exchange of JSON. Never throws: what goes wrong on the way is a failure `network`. */
export async function exchange<Value>(options: HttpOptions, call: Call): Promise<Answer<Value>> {
  const response = await send(options, call);
  if (!response.ok) return response;
  if (!response.value.ok) return { ok: false, error: await failureOf(response.value) };
  try {
    return { ok: true, value: JSON.parse(await response.value.text()) };
  } catch {
    return { ok: false, error: failure('network', 'The answer of the server broke off. Try again.') };
  }
}

export function get<Value>(http: HttpOptions, path: string): Promise<Answer<Value>> {
  return exchange<Value>(http, { method: 'GET', path });
}

export function post<Value>(http: HttpOptions, path: string, body?: unknown): Promise<Answer<Value>> {
  return exchange<Value>(http, { method: 'POST', path, body });
}

export function put<Value>(http: HttpOptions, path: string, body?: unknown): Promise<Answer<Value>> {
  return exchange<Value>(http, { method: 'PUT', path, body });
}

export function patch<Value>(http: HttpOptions, path: string, body: unknown): Promise<Answer<Value>> {
  return exchange<Value>(http, { method: 'PATCH', path, body });
}

export function remove<Value>(http: HttpOptions, path: string, body?: unknown): Promise<Answer<Value>> {
  return exchange<Value>(http, { method: 'DELETE', path, body });
}

/** Opens a stream; its body is left to the caller. */
export async function open(options: HttpOptions, call: Call): Promise<Answer<ReadableStream<Uint8Array>>> {
  const response = await send(options, call);
  if (!response.ok) return response;
  if (response.value.ok && response.value.body !== null) return { ok: true, value: response.value.body };
  return { ok: false, error: await failureOf(response.value) };
}

async function send(options: HttpOptions, call: Call): Promise<Answer<Response>> {
  try {
    const request = new Request(`${options.baseUrl}${call.path}`, {
      method: call.method,
      ...content(call, options.headers()),
      ...(call.signal ? { signal: call.signal } : {}),
    });
    return { ok: true, value: await options.fetch(request) };
  } catch (error) {
    const reason = messageOf(error);
    const message = `The server at ${options.baseUrl} did not answer (${reason}). Check that it runs: attractor serve`;
    return { ok: false, error: failure('network', message) };
  }
}

/** Every call but a read says what it brings, even where that is nothing: no foreign form can do that. */
function content(call: Call, common: Readonly<Record<string, string>>): RequestInit {
  const headers = { ...common, ...call.headers };
  if (call.method === 'GET') return { headers };
  if (call.body instanceof Uint8Array)
    return { headers: { ...headers, 'content-type': 'application/octet-stream' }, body: Uint8Array.from(call.body) };
  return { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(call.body ?? {}) };
}

async function failureOf(response: Response): Promise<Failure> {
  const body: unknown = await response.json().catch(() => null);
  return decodeFailure(body) ?? failure('internal', `The server answered ${response.status} without saying why.`);
}
