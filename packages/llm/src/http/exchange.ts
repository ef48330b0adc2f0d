import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { socketFailure, TransportFailure } from './transport-failure.ts';

export type OutgoingRequest = {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In pieces that are sent one after the other. */
  readonly body: ReadonlyArray<Uint8Array> | undefined;
  readonly signal: AbortSignal | undefined;
  readonly connectTimeoutMs: number;
  readonly agent: Agent;
};

/**
 * One request up to its response's headers. Rejects with `TransportFailure`, or with the signal's reason. If the other side had closed a
 * kept-alive socket meanwhile, the caller does not notice: the request is sent once more on a new one.
 */
export async function exchange(outgoing: OutgoingRequest, freshAgent: Agent): Promise<IncomingMessage> {
  const first = await attempt(outgoing);
  if (first !== 'stale') return first;
  const second = await attempt({ ...outgoing, agent: freshAgent });
  if (second !== 'stale') return second;
  throw socketFailure(Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' }), {
    host: outgoing.url.host,
    phase: 'headers',
  });
}

function attempt(outgoing: OutgoingRequest): Promise<IncomingMessage | 'stale'> {
  const { signal, url } = outgoing;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortReason(signal));
      return;
    }
    const request = open(outgoing);
    const connecting = limitConnect(request, outgoing);
    let answered: IncomingMessage | undefined;
    const onAbort = (): void => {
      if (signal !== undefined) (answered ?? request).destroy(abortReason(signal));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    const settle = (): void => {
      connecting.stop();
      request.off('error', fail);
      // A late socket error belongs to the body's stream, which reports it; without a listener it would be thrown.
      request.on('error', () => undefined);
    };
    const fail = (error: unknown): void => {
      settle();
      signal?.removeEventListener('abort', onAbort);
      if (signal?.aborted) reject(abortReason(signal));
      else if (request.reusedSocket && isClosedSocket(error)) resolve('stale');
      else reject(socketFailure(error, { host: url.host, phase: connecting.isReady() ? 'headers' : 'connect' }));
    };
    request.on('error', fail);
    request.once('response', (response) => {
      settle();
      answered = response;
      response.once('close', () => signal?.removeEventListener('abort', onAbort));
      resolve(response);
    });
    for (const piece of outgoing.body ?? []) request.write(piece);
    request.end();
  });
}

function open(outgoing: OutgoingRequest): ClientRequest {
  const { url, method, headers, body, agent } = outgoing;
  const bytes = body?.reduce((sum, piece) => sum + piece.byteLength, 0);
  const length = bytes === undefined ? {} : { 'content-length': String(bytes) };
  const secure = url.protocol === 'https:';
  // A static import of node:http loads undici through its ESM facade; the builtin itself does not.
  const make = secure ? process.getBuiltinModule('node:https').request : process.getBuiltinModule('node:http').request;
  return make(url, { method, headers: { ...headers, ...length }, agent });
}

type Connecting = { readonly stop: () => void; readonly isReady: () => boolean };

/** Counts until the socket is usable: DNS lookup, TCP, proxy tunnel and TLS together. */
function limitConnect(request: ClientRequest, { connectTimeoutMs, url }: OutgoingRequest): Connecting {
  let isReady = false;
  const timer = setTimeout(() => {
    const message = `No connection to ${url.host} within ${connectTimeoutMs / 1000} s. Check your network, VPN or proxy.`;
    request.destroy(new TransportFailure({ code: 'connect_timeout', phase: 'connect', message }));
  }, connectTimeoutMs);
  const ready = (): void => {
    isReady = true;
    clearTimeout(timer);
  };
  request.once('socket', (socket) => {
    if (request.reusedSocket) ready();
    else if (url.protocol === 'https:') socket.once('secureConnect', ready);
    else if (socket.connecting) socket.once('connect', ready);
    else ready();
  });
  return { stop: () => clearTimeout(timer), isReady: () => isReady };
}

function isClosedSocket(error: unknown): boolean {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new DOMException('The request was aborted.', 'AbortError');
}
