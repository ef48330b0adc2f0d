import { createServer, type Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Failure, Result } from '@attractor/base';
import type { App } from './app.ts';

export type ListenOptions = {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Permission to be reached from other machines; without it only loopback addresses are bound. */
  readonly allowRemote?: true;
};

export type ListenFailure = Failure<
  'port_in_use' | 'port_refused' | 'host_unknown' | 'remote_refused' | 'listen_failed'
>;

export type Listening = {
  readonly url: string;
  readonly port: number;
  /** Ends the streams with a hint to reconnect, lets calls finish, and stops within `graceMs`. */
  readonly close: (graceMs?: number) => Promise<void>;
};

export type ListenResult = Result<Listening, ListenFailure>;

/** For the whole request to arrive; answers may take as long as they like. */
const REQUEST_TIMEOUT_MS = 30_000;

export async function listen(app: App, options: ListenOptions): Promise<ListenResult> {
  if (!isLoopback(options.host) && options.allowRemote !== true) return { ok: false, error: remoteRefused(options) };
  const answer = getRequestListener(app.fetch);
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (incoming, outgoing) => {
    void answer(incoming, outgoing);
  });
  const { promise, resolve } = Promise.withResolvers<ListenResult>();
  server.once('error', (error) => resolve({ ok: false, error: listenFailure(error, options) }));
  server.listen(options.port, options.host, () => {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : options.port;
    const host = isIPv6(options.host) ? `[${options.host}]` : options.host;
    const close = (graceMs = 5000) => stop(app, server, graceMs);
    resolve({ ok: true, value: { url: `http://${host}:${port}`, port, close } });
  });
  return promise;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

async function stop(app: App, server: Server, graceMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  app.close();
  // A connection becomes idle only once its answer is sent; so check again until all are.
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  const deadline = setTimeout(() => server.closeAllConnections(), graceMs);
  await promise;
  clearInterval(sweep);
  clearTimeout(deadline);
}

function remoteRefused({ host }: ListenOptions): ListenFailure {
  const message = `${host} can be reached from other machines. Use 127.0.0.1, or allow it with --allow-remote.`;
  return { code: 'remote_refused', message, retryable: false };
}

function listenFailure(error: NodeJS.ErrnoException, { host, port }: ListenOptions): ListenFailure {
  const known = LISTEN_FAILURES[error.code ?? ''];
  if (known === undefined)
    return { code: 'listen_failed', message: `Cannot listen on ${host}:${port}: ${error.message}`, retryable: false };
  return { code: known.code, message: known.message(host, port), retryable: false };
}

type KnownFailure = { readonly code: ListenFailure['code']; readonly message: (host: string, port: number) => string };

const LISTEN_FAILURES: Readonly<Record<string, KnownFailure | undefined>> = {
  EADDRINUSE: {
    code: 'port_in_use',
    message: (_, port) => `Port ${port} is in use. Choose another with --port, or --port 0 for any free one.`,
  },
  EACCES: {
    code: 'port_refused',
    message: (_, port) => `Port ${port} is not open to this user. Choose one above 1023 with --port.`,
  },
  EADDRNOTAVAIL: { code: 'host_unknown', message: (host) => `This machine has no address ${host}. Check --host.` },
  ENOTFOUND: { code: 'host_unknown', message: (host) => `The host name ${host} is not known. Check --host.` },
};
