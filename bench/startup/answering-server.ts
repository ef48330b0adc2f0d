import { once } from 'node:events';
import { createServer } from 'node:http';

/** Answers every request with the same short Anthropic stream, and reports when a request has arrived. */
export type AnsweringServer = {
  readonly baseUrl: string;
  readonly nextRequest: () => Promise<void>;
  readonly close: () => void;
};

export async function startAnsweringServer(): Promise<AnsweringServer> {
  let arrived = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    request.resume();
    arrived.resolve();
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(EVENTS.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}`,
    nextRequest: () => {
      arrived = Promise.withResolvers<void>();
      return arrived.promise;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'claude-sonnet-4-5-20250929', content: [] };

const EVENTS: ReadonlyArray<{ readonly type: string; readonly [key: string]: unknown }> = [
  {
    type: 'message_start',
    message: { ...MESSAGE, stop_reason: null, stop_sequence: null, usage: { input_tokens: 9, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  ...'Hello there, nice to meet you.'
    .split(/(?= )/)
    .map((text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 9 } },
  { type: 'message_stop' },
];
