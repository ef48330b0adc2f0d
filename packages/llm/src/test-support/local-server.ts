import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type LocalServer = {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  readonly close: () => Promise<void>;
};

/** A real HTTP server on a free loopback port. */
export async function startServer(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<LocalServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString('utf8')));
  });
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}`, port, server, close: () => closeServer(server) };
}

export function listen(server: {
  listen: (port: number, host: string, done: () => void) => unknown;
  address: () => AddressInfo | string | null;
}): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
