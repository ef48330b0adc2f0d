import { defined } from '@attractor/base';
import { hostVariables, type Variables, withOwn } from '@attractor/system';
import {
  type Mcp,
  type McpElicit,
  type McpRunHelper,
  type McpScope,
  mcpFormOf,
  type McpServerDefinition,
  needsTrust,
  openMcp,
  readMcpServers,
} from '@attractor/mcp';
import type { Sandbox } from '@attractor/confine';
import { changedSince, namedFiles, type SessionSettings } from '@attractor/settings';
import { createLocalExecutionEnvironment } from '../execution/local.ts';

export type SessionServersQuery = {
  /** Servers named on the command line; `mcpConfig` has the form of a file. Absent: none. */
  readonly flags?: {
    readonly mcp: ReadonlyArray<McpServerDefinition>;
    readonly mcpConfig: Readonly<Record<string, unknown>>;
  };
  /** From settings. Those of a repository are included only if it is trusted. */
  readonly settings: SessionSettings['mcpServers'];
  readonly disabled: ReadonlyArray<string>;
  /** The SHA-256 of the files that were trusted, by their paths from the root. Absent: servers of a repository are not checked. */
  readonly trusted?: ReadonlyMap<string, string>;
  readonly cwd: string;
  /** The sandbox for a repository's servers, the same one as for commands. Null: a person allowed working without one. */
  readonly sandbox: Sandbox | null;
  /** The folder of our own state. Absent: nothing about servers is kept. */
  readonly home?: string;
  /** Variables of the host. Absent: those of this process. */
  readonly env?: Variables;
  /** Our version, which servers are told. */
  readonly version: string;
  /** Asks a person for a server. Absent: servers are declined. */
  readonly elicit?: McpElicit;
};

export type SessionServers = {
  readonly mcp: Mcp;
  /** One line for each server that is not used, with the reason. */
  readonly problems: ReadonlyArray<string>;
};

/** The servers of one session. The command line wins over settings of the same name. */
export function openSessionServers(query: SessionServersQuery): SessionServers {
  const { flags = { mcp: [], mcpConfig: {} }, settings, disabled, cwd, sandbox, home, version, trusted } = query;
  const env = query.env ?? hostVariables();
  const given = readMcpServers({ form: 'claude', servers: flags.mcpConfig, scope: 'flag', variables: env });
  const ofFlags = [...flags.mcp, ...given.servers.filter(({ name }) => !flags.mcp.some((flag) => flag.name === name))];
  const named = new Set([...ofFlags.map(({ name }) => name), ...disabled]);
  const read = readWritten(new Map([...settings].filter(([name]) => !named.has(name))), env);
  const accepted = new Map<string, string>();
  const maxOutputTokens = Number(env['MAX_MCP_OUTPUT_TOKENS']);
  const patience = patienceIn(env);
  const mcp = openMcp({
    servers: [...ofFlags, ...read.flatMap(({ servers }) => servers)].map((definition) => ({
      ...patience,
      ...definition,
    })),
    workspace: cwd,
    ...(sandbox === null ? {} : { sandbox }),
    isConfined: (definition) => needsTrust(definition) || isOfWorkspace(definition, cwd),
    ...(trusted === undefined
      ? {}
      : { changed: ({ command, args }) => changedSince([command, ...args], { root: cwd, trusted, home, accepted }) }),
    version,
    runHelper: helperRunner(query, env),
    ...defined({ home, elicit: query.elicit }),
    variables: env,
    // Settings of an untrusted repository are not even read.
    isTrusted: () => true,
    ...(maxOutputTokens > 0 ? { maxOutputTokens } : {}),
  });
  const all = [given, ...read];
  const problems = all.flatMap((one) => one.problems);
  const left = all.flatMap((one) => one.unmapped);
  return {
    mcp,
    problems: [
      ...problems.map(({ server, message }) => `the MCP server ${server} is not used: ${message}`),
      ...left.map(({ server, key }) => `the MCP server ${server}: "${key}" has no effect here`),
    ],
  };
}

/** In milliseconds, for servers that name none themselves. */
function patienceIn(env: Variables): Partial<McpServerDefinition> {
  const [startupTimeoutMs, callTimeoutMs] = ['MCP_TIMEOUT', 'MCP_TOOL_TIMEOUT'].map((name) => Number(env[name]));
  return {
    ...(startupTimeoutMs !== undefined && startupTimeoutMs > 0 ? { startupTimeoutMs } : {}),
    ...(callTimeoutMs !== undefined && callTimeoutMs > 0 ? { callTimeoutMs } : {}),
  };
}

/** A repository's text is here only once a person has trusted it, with every variable that it names. */
export function readWritten(written: SessionSettings['mcpServers'], variables: Variables) {
  return [...written].map(([name, { value, origin }]) => {
    const scope = SCOPES[origin.scope] ?? 'user';
    return readMcpServers({ form: mcpFormOf(origin.agent), servers: { [name]: value }, scope, variables });
  });
}

const HELPER_MS = 10_000;

/** A person's own helper runs as they would run it; one of a repository where the commands of the session run, if its files are as trusted. */
function helperRunner({ cwd, sandbox, trusted, home }: SessionServersQuery, env: Variables): McpRunHelper {
  const accepted = new Map<string, string>();
  return async (command, definition) => {
    const { name, transport } = definition;
    const isTheirs = needsTrust(definition);
    const changed =
      isTheirs && trusted !== undefined ? changedSince([command], { root: cwd, trusted, home, accepted }) : null;
    if (changed !== null) throw new Error(`its headersHelper was not run: ${changed.message}`);
    const environment = createLocalExecutionEnvironment(cwd, isTheirs ? 'inherit_harmless' : 'inherit_none', {
      env,
      ...(isTheirs ? { sandbox: sandbox ?? undefined } : { variables: () => withOwn({}, env) }),
    });
    try {
      const url = 'url' in transport ? transport.url : '';
      const envVars = { CLAUDE_CODE_MCP_SERVER_NAME: name, CLAUDE_CODE_MCP_SERVER_URL: url };
      const ran = await environment.execCommand(command, { timeoutMs: HELPER_MS, envVars });
      if (ran.timedOut) throw new Error(`its headersHelper (${command}) took longer than ${HELPER_MS / 1000} s`);
      if (ran.exitCode === 0) return ran.stdout;
      throw new Error(`its headersHelper (${command}) ended with code ${ran.exitCode}: ${ran.stderr.trim()}`);
    } finally {
      await environment.cleanup();
    }
  };
}

/** A person's own server that is a file of the workspace runs what an agent may have written there. */
function isOfWorkspace({ transport }: McpServerDefinition, root: string): boolean {
  return transport.kind === 'stdio' && namedFiles([transport.command, ...transport.args], { root }).length > 0;
}

const SCOPES: Readonly<Record<string, McpScope>> = { project: 'project', local: 'local' };
