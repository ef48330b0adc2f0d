import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { ProtocolId } from './protocol.ts';
import { createScriptedModel, type ScriptedModel, type ScriptedModelOptions } from './scripted-model.ts';
import type { Script, ScriptInput } from './script/types.ts';
import { deliver } from './wire/deliver.ts';
import type { SimulatedRequest } from './wire/http.ts';

export interface SimulatorOptions extends ScriptedModelOptions {
  script: ScriptInput | Script;
  /** 0, the default, takes a free port. */
  port?: number;
  host?: string;
}

/** A running simulator. `baseUrls` are the base URLs for each type of client. */
export interface Simulator extends Omit<ScriptedModel, 'handle'> {
  url: string;
  port: number;
  baseUrls: Record<ProtocolId, string>;
  close(): Promise<void>;
}

/** Rejects if the script is invalid or the port cannot be taken; the message says which. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { script, port = 0, host = '127.0.0.1', ...modelOptions } = options;
  const model = createScriptedModel(script, modelOptions);
  const server = createServer({ keepAliveTimeout: 60_000 }, (incoming, outgoing) => {
    void serve(model, incoming, outgoing);
  });
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => reject(cannotListen(error, port)));
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const taken = typeof address === 'object' && address ? address.port : port;
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${taken}`;
  return {
    url,
    port: taken,
    baseUrls: { anthropic: url, openai: `${url}/v1`, 'openai-chat': `${url}/v1`, gemini: url },
    requests: (filter) => model.requests(filter),
    failures: () => model.failures(),
    reset: () => model.reset(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function cannotListen(error: NodeJS.ErrnoException, port: number): Error {
  const reason =
    error.code === 'EADDRINUSE' ? `port ${port} is in use; choose another, or 0 for any free one` : error.message;
  return Object.assign(new Error(`the simulator cannot listen: ${reason}`), { code: error.code });
}

async function serve(model: ScriptedModel, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  try {
    const request = await readRequest(incoming);
    await deliver(model.handle(request), outgoing);
  } catch (cause) {
    // A client that leaves while sending is no fault of the simulator; any other error must be visible to the client.
    if (incoming.destroyed && !incoming.complete) return;
    const message = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
    if (!outgoing.headersSent) outgoing.writeHead(500, { 'content-type': 'text/plain' });
    outgoing.end(`simulator bug: ${message}`);
  }
}

async function readRequest(incoming: IncomingMessage): Promise<SimulatedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const body = Buffer.concat(chunks).toString('utf8');
  return { method: incoming.method ?? 'GET', path: incoming.url ?? '/', headers, body };
}
