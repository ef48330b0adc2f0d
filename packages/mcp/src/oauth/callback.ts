import { createServer } from 'node:http';

/** Waits on loopback for the browser's callback from the issuer. Only a request with the expected state counts. */
export type Callback = {
  readonly port: number;
  readonly redirectUrl: string;
  /** Resolves with the parameters of the request with this state. */
  readonly expect: (state: string, options: { readonly timeoutMs: number }) => Promise<URLSearchParams>;
  /** Present and future waiters are rejected. */
  readonly close: () => void;
};

const PATH = '/callback';
const LEFT = 'nobody waits for the sign-in any more';

/** Listens on the wanted port, or on a free one if that is taken and `isFixed` allows it. */
export async function openCallback(wanted: number, { isFixed }: { readonly isFixed: boolean }): Promise<Callback> {
  const waiting = new Map<string, Waiting>();
  let isClosed = false;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://loopback');
    const take = url.pathname === PATH ? waiting.get(url.searchParams.get('state') ?? '') : undefined;
    const isMeant = request.method === 'GET' && take !== undefined;
    response.writeHead(isMeant ? 200 : 400, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end(isMeant ? 'Signed in. You can close this page.\n' : 'Nobody waits for this.\n');
    if (isMeant) take.resolve(url.searchParams);
  });
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(wanted).catch((error: unknown) => {
    if (isFixed || wanted === 0) throw error;
    return listen(0);
  });
  server.unref();
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : wanted;
  return {
    port,
    redirectUrl: `http://127.0.0.1:${port}${PATH}`,
    expect: (state, { timeoutMs }) => {
      if (isClosed) return Promise.reject(new Error(LEFT));
      const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
      const timer = setTimeout(() => reject(new Error('nobody signed in in time')), timeoutMs);
      waiting.set(state, { resolve, reject });
      return promise.finally(() => {
        clearTimeout(timer);
        waiting.delete(state);
      });
    },
    close: () => {
      isClosed = true;
      for (const { reject } of waiting.values()) reject(new Error(LEFT));
      server.close();
      server.closeAllConnections();
    },
  };
}

type Waiting = {
  readonly resolve: (parameters: URLSearchParams) => void;
  readonly reject: (reason: Error) => void;
};
