import path from 'node:path';
import { createLocalExecutionEnvironment } from '@attractor/agent';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createBinaryFileTools, createFileTools, type FileTools } from '../file-tools/file-tools.ts';
import { createFileToolsServer } from '../file-tools/mcp-server.ts';

export const TRANSPORTS = ['in process', 'MCP', 'binary'] as const;

export type FileToolsTransport = (typeof TRANSPORTS)[number];

export type OpenFileTools = FileTools & { readonly close: () => Promise<void> };

/** The built program. It exists only after a build. */
const COMMAND = path.resolve(import.meta.dirname, '../../../cli/dist/attractor.js');

/** The six tools of a workspace through one of the transports. */
export async function openFileTools(transport: FileToolsTransport, workspaceRoot: string): Promise<OpenFileTools> {
  if (transport === 'MCP') return openMcp(workspaceRoot);
  const nothing = async (): Promise<void> => undefined;
  if (transport === 'in process')
    return { ...createFileTools(createLocalExecutionEnvironment(workspaceRoot)), close: nothing };
  const command = [process.execPath, COMMAND, 'file-tools'] as const;
  return { ...createBinaryFileTools({ command, workspaceRoot, env: { PATH: '/usr/bin:/bin' } }), close: nothing };
}

async function openMcp(workspaceRoot: string): Promise<OpenFileTools> {
  const server = createFileToolsServer(createLocalExecutionEnvironment(workspaceRoot), { version: '1' });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1' });
  await Promise.all([server.connect(far), client.connect(near)]);
  return {
    run: async ({ name, input }) => {
      const { content, isError } = await client.callTool({ name, arguments: { ...input } });
      const [first] = content;
      return { output: first?.type === 'text' ? first.text : '', isError: isError === true };
    },
    close: () => client.close(),
  };
}
