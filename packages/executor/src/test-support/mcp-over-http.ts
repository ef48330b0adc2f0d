import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExecutionEnvironment } from '@attractor/agent';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createFileToolsServer } from '../file-tools/mcp-server.ts';

export type ServedOverHttp = { readonly url: string; readonly close: () => Promise<void> };

/** The same server behind a URL, because the conformance suite needs one. */
export async function serveOverHttp(environment: ExecutionEnvironment): Promise<ServedOverHttp> {
  const handler = createMcpHandler(() => createFileToolsServer(environment, { version: '1' }));
  const server = createServer((request, response) => void answer(handler.fetch, request, response));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: async () => {
      await handler.close();
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

async function answer(
  fetch: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const body = chunks.length === 0 ? {} : { body: Buffer.concat(chunks) };
  const response = await fetch(
    new Request(`http://127.0.0.1${incoming.url ?? '/'}`, { method: incoming.method ?? 'GET', headers, ...body }),
  );
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body !== null) for await (const chunk of response.body) outgoing.write(chunk);
  outgoing.end();
}
