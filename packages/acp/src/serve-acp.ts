import { once } from '@attractor/base';
import { openRpc, parseLine, readLines, RpcError } from '@attractor/rpc';
import { type EditorConversations, openConversations } from './conversations.ts';
import type { AcpHost } from './host.ts';
import type { Params } from './params.ts';

export type AcpStreams = {
  readonly write: (text: string) => void;
  readonly onBytes: (take: (chunk: Buffer) => void) => void;
  /** The editor is gone. */
  readonly ended: Promise<void>;
};

/** Our agent for the editor at the other end of the streams, until that ends. Whatever it sends, every request is answered. */
export async function serveAcp(host: AcpHost, { write, onBytes, ended }: AcpStreams): Promise<void> {
  const requests = new Map<string | number, string>();
  const say = (message: object): void => write(`${JSON.stringify(message)}\n`);
  const refuse = (code: number, message: string): void => say({ jsonrpc: '2.0', id: null, error: { code, message } });
  const rpc = openRpc({
    send: say,
    onRequest: async (method, params, id) => {
      if (method === 'session/prompt') requests.set(id, String(params['sessionId']));
      try {
        return await answerOf(conversations().methods, method, params);
      } finally {
        requests.delete(id);
      }
    },
    onNotification: (method, params) => {
      if (method === 'session/cancel') conversations().cancel(String(params['sessionId']));
      const { requestId } = params;
      const isKnown = method === '$/cancel_request' && (typeof requestId === 'string' || typeof requestId === 'number');
      const sessionId = isKnown ? requests.get(requestId) : undefined;
      if (sessionId !== undefined) conversations().cancel(sessionId);
    },
    onOdd: (message) => {
      // An answer to something that nobody asked, or that nobody waits for any more.
      if (typeof message === 'object' && message !== null && !Array.isArray(message)) return;
      refuse(-32600, 'Expected one JSON-RPC message.');
    },
  });
  const conversations = once((): EditorConversations => openConversations(host, rpc));
  const lines = readLines((line) => {
    const message = parseLine(line);
    if (message === undefined) refuse(-32700, 'This line is not JSON.');
    else rpc.heard(message);
  });
  onBytes(lines.push);
  await ended;
  rpc.end('the editor is gone');
  await conversations().close();
}

async function answerOf(methods: EditorConversations['methods'], method: string, params: Params): Promise<unknown> {
  const answer = methods[method];
  if (answer === undefined) throw new RpcError(-32601, `There is no method ${method} here.`);
  return answer(params);
}
