/* An MCP server with one tool, on nothing but Node: it is ready at once, on a busy machine too. */
import { createInterface } from 'node:readline';

type Request = { readonly id?: number; readonly method: string; readonly params?: Readonly<Record<string, unknown>> };

const TOOL = {
  name: 'get-sum',
  description: 'Adds two numbers.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
};

const ANSWERS: Readonly<Record<string, (params: Request['params']) => object>> = {
  initialize: (params) => ({
    protocolVersion: params?.['protocolVersion'],
    capabilities: { tools: {} },
    serverInfo: { name: 'sum', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [TOOL] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params }: Request = JSON.parse(line);
  if (id === undefined) return;
  const result = ANSWERS[method]?.(params);
  const answer = result === undefined ? { error: { code: -32_601, message: `unknown: ${method}` } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
});
