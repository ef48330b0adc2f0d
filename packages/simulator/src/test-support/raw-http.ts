import { request } from 'node:http';
import type { ProtocolId } from '../protocol.ts';

/** What came over the socket, byte for byte, and how it ended. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  chunks: Buffer[];
  ended: 'complete' | 'cut' | 'left';
}

export interface RawOptions {
  body: unknown;
  path: string;
  headers?: Record<string, string>;
  /** Leave after this long. */
  leaveAfterMs?: number;
  /** Leave when what was read satisfies this. */
  leaveOnce?: (body: string) => boolean;
}

/** One request with nothing between the test and the socket: no retries, no parsing. */
function rawPost(url: string, options: RawOptions): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let status = 0;
    let headers: RawAnswer['headers'] = {};
    let timer: NodeJS.Timeout | undefined;
    const finish = (ended: RawAnswer['ended']): void => {
      clearTimeout(timer);
      resolve({ status, headers, chunks, ended, body: Buffer.concat(chunks).toString('utf8') });
    };
    const leave = (): void => {
      finish('left');
      outgoing.destroy();
    };
    const outgoing = request(
      `${url}${options.path}`,
      { method: 'POST', headers: options.headers ?? {}, agent: false },
      (incoming) => {
        status = incoming.statusCode ?? 0;
        headers = incoming.headers;
        incoming.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          if (options.leaveOnce?.(Buffer.concat(chunks).toString('utf8')) === true) leave();
        });
        incoming.on('end', () => finish(incoming.complete ? 'complete' : 'cut'));
        incoming.on('error', () => finish('cut'));
      },
    );
    outgoing.on('error', () => finish('cut'));
    if (options.leaveAfterMs !== undefined) timer = setTimeout(leave, options.leaveAfterMs);
    outgoing.end(JSON.stringify(options.body));
  });
}

const TOOL_SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };

interface Sample {
  path: (stream: boolean) => string;
  headers: Record<string, string>;
  body: (text: string, stream: boolean) => unknown;
}

/** A valid first request of each protocol, with one tool. */
export const SAMPLES: Record<ProtocolId, Sample> = {
  anthropic: {
    path: () => '/v1/messages',
    headers: { 'x-api-key': 'k', 'anthropic-version': '2023-06-01' },
    body: (text, stream) => ({
      model: 'm',
      max_tokens: 100,
      stream,
      messages: [{ role: 'user', content: text }],
      tools: [{ name: 'read_file', input_schema: TOOL_SCHEMA }],
    }),
  },
  openai: {
    path: () => '/v1/responses',
    headers: { authorization: 'Bearer k' },
    body: (text, stream) => ({
      model: 'm',
      stream,
      input: text,
      tools: [{ type: 'function', name: 'read_file', parameters: TOOL_SCHEMA }],
    }),
  },
  'openai-chat': {
    path: () => '/v1/chat/completions',
    headers: { authorization: 'Bearer k' },
    body: (text, stream) => ({
      model: 'm',
      stream,
      messages: [{ role: 'user', content: text }],
      tools: [{ type: 'function', function: { name: 'read_file', parameters: TOOL_SCHEMA } }],
    }),
  },
  gemini: {
    path: (stream) => `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: { 'x-goog-api-key': 'k' },
    body: (text) => ({
      contents: [{ role: 'user', parts: [{ text }] }],
      tools: [{ functionDeclarations: [{ name: 'read_file', parameters: TOOL_SCHEMA }] }],
    }),
  },
};

export const PROTOCOLS: ProtocolId[] = ['anthropic', 'openai', 'openai-chat', 'gemini'];

export interface AskOptions {
  text?: string;
  stream?: boolean;
  leaveAfterMs?: number;
  leaveOnce?: (body: string) => boolean;
}

export function ask(
  url: string,
  protocol: ProtocolId,
  { text = 'go', stream = true, ...leaving }: AskOptions = {},
): Promise<RawAnswer> {
  const sample = SAMPLES[protocol];
  return rawPost(url, {
    path: sample.path(stream),
    headers: sample.headers,
    body: sample.body(text, stream),
    ...leaving,
  });
}
