import type { IncomingMessage, RequestOptions } from 'node:http';
import type { LookupFunction } from 'node:net';
import { messageOf } from '@attractor/base';
import type { Variables } from '@attractor/system';
import { isPublicAddress } from '@attractor/confine';
import type { HttpHandler } from './definition.ts';
import type { HandlerEnd } from './handler-end.ts';

export type HttpRun = {
  readonly body: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly hostVariables: Variables;
  /** Only public addresses are allowed, because a repository wrote the URL. */
  readonly publicOnly: boolean;
};

const MAX_BODY_BYTES = 1 << 20;

/** Posts the input and returns the body of a success answer. Redirects are not followed and count as failures. Never rejects. */
export async function runHttp(handler: HttpHandler, run: HttpRun): Promise<HandlerEnd> {
  const started = performance.now();
  const durationMs = (): number => Math.round(performance.now() - started);
  const deadline = AbortSignal.timeout(run.timeoutMs);
  const signal = AbortSignal.any([deadline, run.signal]);
  try {
    const response = await post(handler, { ...run, signal });
    const encoding = response.headers['content-encoding'] ?? 'identity';
    const text = await readText(response);
    if (encoding !== 'identity')
      return {
        kind: 'error',
        message: `It answered in the encoding ${encoding}, which nobody asked for.`,
        durationMs: durationMs(),
      };
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return { kind: 'body', text, status, durationMs: durationMs() };
    return { kind: 'error', message: `It answered with status ${status}.`, durationMs: durationMs() };
  } catch (error) {
    if (run.signal.aborted) return { kind: 'cancelled', durationMs: durationMs() };
    if (deadline.aborted) return { kind: 'timeout', timeoutMs: run.timeoutMs, durationMs: durationMs() };
    const message = messageOf(error);
    return { kind: 'error', message: `It could not be reached: ${message}`, durationMs: durationMs() };
  }
}

async function post(handler: HttpHandler, run: HttpRun): Promise<IncomingMessage> {
  const url = new URL(handler.url);
  if (run.publicOnly && isLiteralAddress(url) && !isPublicAddress(plainHost(url))) throw notPublic(url.host);
  const { request } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const options: RequestOptions = {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(run.body),
      ...headersOf(handler, run.hostVariables),
    },
    signal: run.signal,
    agent: false,
    ...(run.publicOnly ? { lookup: await publicLookup() } : {}),
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, options, resolve);
    asked.on('error', reject);
    asked.end(run.body);
  });
}

/** `$NAME` and `${NAME}` in a header, for the variables that the handler may use. */
function headersOf({ headers = {}, allowedEnvVars = [] }: HttpHandler, host: Variables): Record<string, string> {
  const value = (name: string): string => (allowedEnvVars.includes(name) ? (host[name] ?? '') : '');
  return Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [
      name.toLowerCase(),
      text
        .replaceAll(/\$(?:\{(\w+)\}|(\w+))/g, (_all, braced: string | undefined, bare: string) => value(braced ?? bare))
        .replaceAll(/[\r\n\0]/g, ''),
    ]),
  );
}

function plainHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

function isLiteralAddress(url: URL): boolean {
  return /^[\d.]+$/.test(url.hostname) || url.hostname.startsWith('[');
}

/** Connects to exactly the address that was checked. */
async function publicLookup(): Promise<LookupFunction> {
  const { lookup } = await import('node:dns');
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, '');
      const hidden = addresses.find(({ address }) => !isPublicAddress(address));
      const [first] = addresses;
      if (hidden !== undefined || first === undefined) return done(notPublic(host), '');
      if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };
}

function notPublic(host: string): Error {
  return new Error(`${host} is this machine or its network, which only hooks of your own files may ask`);
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    const bytes: Buffer = chunk;
    size += bytes.length;
    if (size > MAX_BODY_BYTES) {
      response.destroy();
      throw new Error(`its answer is larger than ${MAX_BODY_BYTES >> 20} MiB`);
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}
