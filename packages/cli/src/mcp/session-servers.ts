import {
  childVariables,
  type Mcp,
  type McpForm,
  type McpScope,
  type McpServerDefinition,
  openMcp,
  readMcpServers,
  type Sandbox,
  type SessionSettings,
} from '@attractor/agent';
import { VERSION } from '../version.ts';

export type ConfiguredServers = {
  /** From the command line; `mcpConfig` as it is written in files. */
  readonly flags: {
    readonly mcp: ReadonlyArray<McpServerDefinition>;
    readonly mcpConfig: Readonly<Record<string, unknown>>;
  };
  /** From settings: those of a repository are there only if it is trusted. */
  readonly settings: SessionSettings['mcpServers'];
  readonly disabled: ReadonlyArray<string>;
  readonly cwd: string;
  /** What servers that are programs are started in, as commands are. Null: a person allowed to go without. */
  readonly sandbox: Sandbox | null;
  /** Where this program keeps its state. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

export type SessionServers = {
  readonly mcp: Mcp;
  /** Servers that are not used, and why, a line each. */
  readonly problems: ReadonlyArray<string>;
};

/** The servers of one session. What the command line names wins over what the settings name the same. */
export function openServers(configured: ConfiguredServers): SessionServers {
  const { flags, settings, disabled, cwd, sandbox, home, env } = configured;
  const given = readMcpServers({ form: 'claude', servers: flags.mcpConfig, scope: 'flag', variables: env });
  const ofFlags = [...flags.mcp, ...given.servers.filter(({ name }) => !flags.mcp.some((flag) => flag.name === name))];
  const named = new Set([...ofFlags.map(({ name }) => name), ...disabled]);
  const read = [...settings]
    .filter(([name]) => !named.has(name))
    .map(([name, { value, origin }]) => {
      const scope = SCOPES[origin.scope] ?? 'user';
      const variables = scope === 'user' ? env : childVariables('inherit_core', env);
      return readMcpServers({ form: FORMS[origin.agent] ?? 'claude', servers: { [name]: value }, scope, variables });
    });
  const maxOutputTokens = Number(env['MAX_MCP_OUTPUT_TOKENS']);
  const mcp = openMcp({
    servers: [...ofFlags, ...read.flatMap(({ servers }) => servers)],
    workspace: cwd,
    ...(sandbox === null ? {} : { sandbox }),
    version: VERSION,
    home,
    variables: env,
    // Settings of a repository that nobody trusted are not even read.
    isTrusted: () => true,
    ...(maxOutputTokens > 0 ? { maxOutputTokens } : {}),
  });
  const problems = [given, ...read].flatMap((one) => one.problems);
  return { mcp, problems: problems.map(({ server, message }) => `the MCP server ${server} is not used: ${message}`) };
}

const SCOPES: Readonly<Record<string, McpScope>> = { project: 'project', local: 'local' };

const FORMS: Readonly<Record<string, McpForm>> = {
  codex: 'codex',
  gemini: 'gemini',
  opencode: 'opencode',
  cline: 'cline',
};
