import type { McpServer } from '@agentclientprotocol/sdk/unstable';
import type { McpServerDefinition } from '@attractor/mcp';
import { RpcError } from '@attractor/rpc';

/** The servers that an editor gives a conversation: the person configured them there, so they are theirs. */
export function serversOf(given: ReadonlyArray<McpServer>): ReadonlyArray<McpServerDefinition> {
  return given.map((server) => ({ name: server.name, scope: 'flag', transport: transportOf(server) }));
}

function transportOf(server: McpServer): McpServerDefinition['transport'] {
  if (!('type' in server)) {
    const { command, args, env } = server;
    return { kind: 'stdio', command, args, env: valuesOf(env) };
  }
  if (server.type === 'acp')
    throw new RpcError(-32602, `The MCP server ${server.name}: servers inside the editor are not supported.`);
  return { kind: server.type, url: server.url, headers: valuesOf(server.headers) };
}

function valuesOf(
  pairs: ReadonlyArray<{ readonly name: string; readonly value: string }> = [],
): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}
