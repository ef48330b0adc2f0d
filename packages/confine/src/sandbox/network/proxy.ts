import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HostJudge, Route } from './judge-host.ts';
import type { Dial } from './network-policy.ts';

type Allowed = Extract<Route, { readonly allowed: true }>;

/** Only between one client and one proxy; never forwarded. */
const HOP_BY_HOP = /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host)$/i;

/**
 * A proxy for HTTP and for tunnels (CONNECT). Every request and every tunnel is judged separately, so a redirect is judged as well; the
 * address that was judged is the one that is dialled.
 */
export function createProxy(judge: HostJudge, dial: Dial): Server {
  // Not imported: node:http would be loaded by programs that never open a network.
  const http = process.getBuiltinModule('node:http');
  const server = http.createServer((request, response) => {
    void forward(request, response, { judge, dial }).catch(() => answer(response, 502, 'The request failed.'));
  });
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    void judge(request.url ?? '').then((route) => {
      if (route.allowed) tunnel(client, head, dial(route.address, route.host.port));
      else
        client.end(
          `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${said(route.reason)}`,
        );
    });
  });
  return server;
}

function tunnel(client: Duplex, head: Buffer, remote: Socket): void {
  remote.once('connect', () => {
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    remote.write(head);
    client.pipe(remote).pipe(client);
  });
  remote.on('error', () => client.destroy());
  client.on('close', () => remote.destroy());
}

type Ways = { readonly judge: HostJudge; readonly dial: Dial };

async function forward(request: IncomingMessage, response: ServerResponse, { judge, dial }: Ways): Promise<void> {
  const [, authority = '', target = '/'] = /^http:\/\/([^/?#]*)([^#]*)/i.exec(request.url ?? '') ?? [];
  const route = await judge(authority, 80);
  if (!route.allowed) return answer(response, 403, route.reason);
  const http = process.getBuiltinModule('node:http');
  const outgoing = http.request({
    method: request.method,
    path: target.startsWith('/') ? target : `/${target}`,
    headers: headersFor(request, route),
    createConnection: () => dial(route.address, route.host.port),
  });
  outgoing.on('response', (answered) => {
    response.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(response);
  });
  outgoing.on('error', () => answer(response, 502, `${route.host.name} did not answer.`));
  response.on('close', () => outgoing.destroy());
  request.pipe(outgoing);
}

function headersFor(request: IncomingMessage, { host }: Allowed): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = {
    host: host.port === 80 ? host.name : `${host.name}:${host.port}`,
  };
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined && !HOP_BY_HOP.test(name)) headers[name] = value;
  }
  return headers;
}

function answer(response: ServerResponse, status: number, reason: string): void {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'text/plain' }).end(said(reason));
}

function said(reason: string): string {
  return `Refused by the sandbox: ${reason}\n`;
}
