import type { IncomingMessage } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Answered, Outgoing } from '@attractor/api';

/**
 * One exchange with a server, over Node's own HTTP: loading the platform's `fetch` takes longer than most commands run. Redirects are not
 * followed, so a token goes nowhere else.
 */
export async function sendHttp(url: string, outgoing: Outgoing): Promise<Answered> {
  const answer = await attempt(new URL(url), outgoing, 'kept');
  return answered(answer === 'stale' ? await attempt(new URL(url), outgoing, 'new') : answer);
}

/** `stale`: the server had closed a socket that was kept. Only reads use such sockets: whatever changes something is sent once. */
function attempt(url: URL, outgoing: Outgoing, socket: 'kept'): Promise<IncomingMessage | 'stale'>;
function attempt(url: URL, outgoing: Outgoing, socket: 'new'): Promise<IncomingMessage>;
function attempt(url: URL, outgoing: Outgoing, socket: 'kept' | 'new'): Promise<IncomingMessage | 'stale'> {
  const { method, body, signal } = outgoing;
  // A static import of node:http loads `fetch` too; the module itself does not.
  const http = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http');
  const mayKeep = socket === 'kept' && method === 'GET';
  return new Promise((resolve, reject) => {
    const request = http.request(url, {
      method,
      headers: { ...outgoing.headers, ...acceptedFrom(url), ...lengthOf(body) },
      ...(signal === undefined ? {} : { signal }),
      ...(mayKeep ? {} : { agent: false }),
    });
    request.once('response', resolve);
    request.on('error', (error) => (mayKeep && request.reusedSocket ? resolve('stale') : reject(error)));
    request.end(body);
  });
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]']);

/** On the way within a machine compressing takes longer than it saves. */
function acceptedFrom({ hostname }: URL): Readonly<Record<string, string>> {
  return LOOPBACK.has(hostname) ? {} : { 'accept-encoding': 'gzip' };
}

function lengthOf(body: Outgoing['body']): Readonly<Record<string, number>> {
  return body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
}

function answered(response: IncomingMessage): Answered {
  const source = decoded(response);
  const status = response.statusCode ?? 0;
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name) => response.headers[name.toLowerCase()]?.toString() ?? null },
    text: async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of source) chunks.push(chunk);
      return Buffer.concat(chunks).toString('utf8');
    },
    get body() {
      return Readable.toWeb(source) as ReadableStream<Uint8Array<ArrayBuffer>>;
    },
  };
}

function decoded(response: IncomingMessage): Readable {
  if (response.headers['content-encoding'] !== 'gzip') return response;
  // The reader is told of a failure; the callback only keeps it from being thrown.
  return pipeline(response, createGunzip(), () => undefined);
}
