import type { ExecutionEnvironment } from '@attractor/agent';
import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { FILE_TOOLS, publicName } from './definitions.ts';
import { runFileTool } from './run.ts';

export type ServerAbout = { readonly version: string };

const INSTRUCTIONS =
  'Reads and changes the files of one workspace. Paths are relative to it and never lead out of it. Results are JSON; a failure is {"error","message"}.';

/**
 * The six tools as an MCP server, for any transport. They are listed under their public names and can also be called by their wire names.
 * A tool that fails returns an error result; only an unknown tool name is a protocol error.
 */
export function createFileToolsServer(environment: ExecutionEnvironment, { version }: ServerAbout): Server {
  const server = new Server(
    { name: 'attractor-file-tools', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  );
  server.setRequestHandler('tools/list', () => ({ tools: FILE_TOOLS.map(listed) }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    if (publicName(params.name) === null)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Unknown tool ${JSON.stringify(params.name)}. Tools: ${FILE_TOOLS.map(({ name }) => name).join(', ')}.`,
      );
    const call = { name: params.name, input: params.arguments ?? {}, signal: context.mcpReq.signal };
    const { output, isError } = await runFileTool(call, environment);
    return { content: [{ type: 'text' as const, text: output }], isError };
  });
  return server;
}

function listed({ name, description, parameters, readOnly }: (typeof FILE_TOOLS)[number]) {
  return {
    name,
    description,
    inputSchema: { ...parameters, type: 'object' as const },
    annotations: { readOnlyHint: readOnly, destructiveHint: !readOnly, openWorldHint: false },
  };
}

/** Serves over this process's stdin and stdout until the client leaves or the signal aborts. */
export async function serveStdin(
  environment: ExecutionEnvironment,
  about: ServerAbout & { readonly signal: AbortSignal },
): Promise<void> {
  const ended = Promise.withResolvers<void>();
  const handle = serveStdio(() => createFileToolsServer(environment, about));
  const end = (): void => ended.resolve();
  process.stdin.once('end', end).once('close', end);
  about.signal.addEventListener('abort', end, { once: true });
  if (about.signal.aborted) end();
  await ended.promise;
  await handle.close();
}
