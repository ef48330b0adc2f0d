import { isRecord, messageOf } from '@attractor/base';
import { type RunTools, SERVER_NAME } from './run-tools.ts';

const VERSION = '2025-06-18';

/**
 * One message of the Model Context Protocol → its answer; null: it needs none. There are tools here and nothing else, on a connection that
 * belongs to one run: nothing in a message says for whom it is.
 */
export async function answerMcp(tools: RunTools, message: unknown): Promise<object | null> {
  if (!isRecord(message)) return refusal(null, -32600, 'Expected a JSON-RPC request.');
  const { id, method, params } = message;
  if (id === undefined || id === null || typeof method !== 'string') return null;
  const answer = ANSWERS[method];
  if (answer === undefined) return refusal(id, -32601, `There is no method ${method} here.`);
  try {
    return { jsonrpc: '2.0', id, result: await answer(tools, isRecord(params) ? params : {}) };
  } catch (error) {
    return refusal(id, -32603, messageOf(error));
  }
}

type Params = Readonly<Record<string, unknown>>;

const ANSWERS: Readonly<Record<string, (tools: RunTools, params: Params) => unknown>> = {
  initialize: (_tools, { protocolVersion }) => ({
    protocolVersion: typeof protocolVersion === 'string' ? protocolVersion : VERSION,
    capabilities: { tools: {} },
    serverInfo: { name: SERVER_NAME, version: '1' },
  }),
  ping: () => ({}),
  'tools/list': (tools) => ({ tools: tools.list() }),
  'tools/call': async (tools, { name, arguments: args }) => {
    const { text, isError } = await tools.call(String(name), isRecord(args) ? args : {});
    return { content: [{ type: 'text', text }], isError };
  },
};

function refusal(id: unknown, code: number, message: string): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
