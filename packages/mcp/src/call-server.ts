import type { CallToolResult, Tool } from '@modelcontextprotocol/client';
import { defined } from '@attractor/base';
import { hostVariables } from '@attractor/system';
import { createConnection } from './connection.ts';
import type { McpServerDefinition } from './definition.ts';
import type { McpElicit } from './elicitation.ts';
import type { McpOutcome } from './failure.ts';
import type { McpAuthorize } from './oauth/sign-in.ts';
import { tokenFiles } from './oauth/token-file.ts';

export type McpCallOptions = {
  readonly workspace: string;
  readonly version: string;
  readonly home?: string;
  readonly elicit?: McpElicit;
  readonly authorize?: McpAuthorize;
};

/** One server called by hand, with its answers unchanged: for people who try one, without a session. */
export type McpServerCaller = {
  /** Of all pages. */
  readonly tools: () => Promise<McpOutcome<ReadonlyArray<Tool>>>;
  readonly call: (
    tool: string,
    args: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
  ) => Promise<McpOutcome<CallToolResult>>;
  readonly close: () => Promise<void>;
};

/** Connects on first use; `close` ends the server. */
export function callMcpServer(definition: McpServerDefinition, options: McpCallOptions): McpServerCaller {
  const { workspace, version, home = null, elicit, authorize } = options;
  const connection = createConnection(definition, {
    means: {
      launch: { workspace, variables: hostVariables() },
      version,
      tokenFile: tokenFiles(home),
      ...defined({ elicit, authorize }),
    },
    now: Date.now,
    known: null,
    onOffered: () => undefined,
  });
  return {
    tools: async () => {
      const started = await connection.start();
      return started.ok ? { ok: true, value: connection.offered()?.tools ?? [] } : started;
    },
    call: (name, args, signal) =>
      connection.ask((client, asked) => client.callTool({ name, arguments: { ...args } }, asked), { signal }),
    close: connection.close,
  };
}
