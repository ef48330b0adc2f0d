import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { errorOf } from '@attractor/base';
import type { McpHostLine, McpHostServer } from './definition.ts';

/** A server inside the program that opened the session. What it sends is parsed like anything from outside. */
export function createHostTransport(
  server: McpHostServer,
  parse: (line: string) => JSONRPCMessage,
): Transport & { readonly lastWords: () => string } {
  let line: McpHostLine | null = null;
  const transport: Transport & { readonly lastWords: () => string } = {
    lastWords: () => '',
    start: async () => {
      line = server.open((message) => {
        try {
          transport.onmessage?.(parse(JSON.stringify(message)));
        } catch (error) {
          transport.onerror?.(errorOf(error));
        }
      });
    },
    send: async (message) => {
      if (line === null) throw new Error('the server was closed');
      await line.send(message);
    },
    close: async () => {
      line?.close();
      line = null;
      transport.onclose?.();
    },
  };
  return transport;
}
