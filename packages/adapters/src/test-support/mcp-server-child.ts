import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * A small MCP server over stdio: `node mcp-server-child.ts [MARKER]`. Its one tool says where the server runs. If it can, it leaves a
 * marker.
 */
const [marker] = process.argv.slice(2);
if (marker !== undefined) leaveMarker(marker);

const TOOLS = [{ name: 'look', description: 'Looks around.', inputSchema: { type: 'object', properties: {} } }];

const ANSWERS: Readonly<Record<string, (params: Readonly<Record<string, unknown>>) => object>> = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'sample', version: '1' },
  }),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': () => ({ content: [{ type: 'text', text: `the server runs in ${process.cwd()}` }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = ANSWERS[method]?.(params ?? {}) ?? {};
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
});

function leaveMarker(file: string): void {
  try {
    writeFileSync(file, 'here');
  } catch {
    // Held back.
  }
}
