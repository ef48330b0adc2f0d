import type { IncomingMessage } from 'node:http';
import { fetchFailure, type FetchFailure } from './failure.ts';
import { hostOf, kindOfAddress } from '@attractor/confine';

/** All current addresses of a name. */
export type ResolveHost = (host: string) => Promise<ReadonlyArray<string>>;

export type PinnedRequest = {
  readonly url: URL;
  readonly resolve: ResolveHost | undefined;
  readonly allowLoopback: boolean;
  readonly signal: AbortSignal;
};

const HEADERS = {
  accept: 'text/markdown, text/html;q=0.9, application/json;q=0.8, text/*;q=0.7, application/pdf;q=0.5, */*;q=0.1',
  'accept-encoding': 'gzip, deflate, br',
  'user-agent': 'attractor (coding agent)',
};

/**
 * One request, up to its headers. The name is resolved once, every address must be allowed, and the connection goes to exactly the address
 * that was checked, so a resolver that changes its answer has no effect. No cookies, credentials or proxies.
 */
export async function requestPinned(request: PinnedRequest): Promise<IncomingMessage | FetchFailure> {
  const address = await allowedAddress(request);
  return typeof address === 'string' ? send(address, request) : address;
}

async function allowedAddress({
  url,
  resolve = lookup,
  allowLoopback,
  signal,
}: PinnedRequest): Promise<string | FetchFailure> {
  const host = hostOf(url);
  const { isIP } = process.getBuiltinModule('node:net');
  let addresses: ReadonlyArray<string>;
  try {
    addresses = isIP(host) === 0 ? await orAborted(resolve(host), signal) : [host];
  } catch (error) {
    if (signal.aborted) throw error;
    return fetchFailure('unreachable', `The name ${host} could not be resolved: check the spelling.`);
  }
  const isAllowed = (address: string): boolean => {
    const kind = kindOfAddress(address);
    return kind === 'public' || (kind === 'loopback' && allowLoopback);
  };
  const refused = addresses.find((address) => !isAllowed(address));
  if (refused !== undefined)
    return fetchFailure(
      'refused',
      `${host} leads to ${refused}, which is not on the open internet: it is not fetched.`,
    );
  return addresses[0] ?? fetchFailure('unreachable', `The name ${host} has no address.`);
}

async function lookup(host: string): Promise<ReadonlyArray<string>> {
  const found = await process.getBuiltinModule('node:dns').promises.lookup(host, { all: true, order: 'ipv4first' });
  return found.map(({ address }) => address);
}

function send(address: string, { url, signal }: PinnedRequest): Promise<IncomingMessage | FetchFailure> {
  const isSecure = url.protocol === 'https:';
  // A static import of node:http loads undici through its ESM facade; the builtin itself does not.
  const { request } = isSecure ? process.getBuiltinModule('node:https') : process.getBuiltinModule('node:http');
  const host = hostOf(url);
  const name = process.getBuiltinModule('node:net').isIP(host) === 0 ? { servername: host } : {};
  return new Promise((resolve, reject) => {
    const sent = request({
      ...name,
      host: address,
      port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
      path: url.pathname + url.search,
      headers: { ...HEADERS, host: url.host },
      agent: false,
      maxHeaderSize: 64 << 10,
      signal,
    });
    sent.once('response', (response) => resolve(response));
    sent.on('error', (error) => {
      if (signal.aborted) reject(error);
      else resolve(fetchFailure('unreachable', `${url.host} could not be reached: ${error.message}.`, 'retryable'));
    });
    sent.end();
  });
}

async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(new Error('aborted'));
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', onAbort));
}
