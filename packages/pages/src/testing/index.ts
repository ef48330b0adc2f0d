import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on this machine. `requests` are what reached it. */
export async function serve(answer: Answer, host = '127.0.0.1') {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, requests, origin: `http://${host.includes(':') ? `[${host}]` : host}:${port}` };
}

export const say = (
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = { 'content-type': 'text/plain' },
): Answer => {
  return (_request, response) => void response.writeHead(200, headers).end(body);
};
