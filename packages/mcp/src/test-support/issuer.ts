import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** An issuer and a server behind it, on loopback. All requests to them are in `log`. */
export type IssuerWorld = {
  readonly url: string;
  readonly log: ReadonlyArray<string>;
  /** Earlier access tokens are refused from now on. */
  readonly expire: () => void;
  /** Refresh tokens too. */
  readonly revoke: () => void;
  readonly clients: () => number;
};

export async function startIssuer(): Promise<IssuerWorld> {
  const log: string[] = [];
  const challenges = new Map<string, string>();
  const access = new Set<string>();
  const refresh = new Set<string>();
  const clients = new Set<string>();
  const issue = () => {
    const tokens = { access_token: randomUUID(), refresh_token: randomUUID(), token_type: 'Bearer', expires_in: 3600 };
    access.add(tokens.access_token);
    refresh.add(tokens.refresh_token);
    return tokens;
  };
  let origin = '';
  const routes: Readonly<Record<string, (request: Asked) => Answer>> = {
    '/.well-known/oauth-protected-resource/mcp': () =>
      json({ resource: `${origin}/mcp`, authorization_servers: [origin] }),
    '/.well-known/oauth-authorization-server': () =>
      json({
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      }),
    '/register': ({ body }) => {
      const client = randomUUID();
      clients.add(client);
      return json({ ...JSON.parse(body), client_id: client }, 201);
    },
    '/authorize': ({ url }) => {
      const code = randomUUID();
      challenges.set(code, url.searchParams.get('code_challenge') ?? '');
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: url.searchParams.get('state') ?? '' }).toString();
      return { status: 302, headers: { location: back.href }, body: '' };
    },
    '/token': ({ body }) => {
      const asked = new URLSearchParams(body);
      const verifier = asked.get('code_verifier') ?? '';
      const isProven =
        challenges.get(asked.get('code') ?? '') === createHash('sha256').update(verifier).digest('base64url');
      const isRefreshed = refresh.delete(asked.get('refresh_token') ?? '');
      return isProven || isRefreshed ? json(issue()) : json({ error: 'invalid_grant' }, 400);
    },
    '/mcp': ({ body, headers, method }) => {
      if (!access.has((headers.authorization ?? '').replace('Bearer ', ''))) {
        const where = `${origin}/.well-known/oauth-protected-resource/mcp`;
        return { status: 401, headers: { 'www-authenticate': `Bearer resource_metadata="${where}"` }, body: '' };
      }
      return method === 'POST' ? answerMessage(JSON.parse(body)) : { status: 405, headers: {}, body: '' };
    },
  };
  const server = createServer((request, response) => void serve(request, response, { routes, log }));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => server.close().closeAllConnections());
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    url: `${origin}/mcp`,
    log,
    expire: () => access.clear(),
    revoke: () => refresh.clear(),
    clients: () => clients.size,
  };
}

type Asked = {
  readonly url: URL;
  readonly body: string;
  readonly method: string;
  readonly headers: IncomingMessage['headers'];
};

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

type Serving = {
  readonly routes: Readonly<Record<string, (request: Asked) => Answer>>;
  readonly log: string[];
};

async function serve(request: IncomingMessage, response: ServerResponse, { routes, log }: Serving): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const url = new URL(request.url ?? '/', 'http://loopback');
  const body = Buffer.concat(chunks).toString();
  const method = request.method ?? '';
  log.push(`${method} ${url.pathname} ${new URLSearchParams(body).get('grant_type') ?? ''}`.trim());
  const answer = routes[url.pathname]?.({ url, body, method, headers: request.headers }) ?? json({}, 404);
  response.writeHead(answer.status, answer.headers).end(answer.body);
}

export type Message = {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly protocolVersion?: string };
};

/** A server with one tool. */
export function answerMessage({ id, method, params }: Message): Answer {
  if (id === undefined) return { status: 202, headers: {}, body: '' };
  const results: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'guarded', version: '1' },
    },
    'tools/list': { tools: [{ name: 'secret', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'the secret' }] },
  };
  return json({ jsonrpc: '2.0', id, result: results[method] ?? {} });
}

function json(value: unknown, status = 200): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}
