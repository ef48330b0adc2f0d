import type { ExecutionEnvironment } from '@attractor/agent';

export type Serving = { readonly version: string; readonly signal: AbortSignal };

/** Serves the file tools over MCP on this process's stdin and stdout, until the client leaves or the signal aborts. */
export async function serveFileTools(environment: ExecutionEnvironment, serving: Serving): Promise<void> {
  const { serveStdin } = await import('./file-tools/mcp-server.ts');
  await serveStdin(environment, serving);
}
