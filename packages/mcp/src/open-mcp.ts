import { defined } from '@attractor/base';
import { hostVariables, type Variables } from '@attractor/system';
import type { Sandbox } from '@attractor/confine';
import { type McpChanges, mcpChanges } from './changes.ts';
import type { ChangedProgram, McpTool } from './tool.ts';
import { type Connection, createConnection, type ServerState } from './connection.ts';
import type { Offered } from './server-life.ts';
import { type McpServerDefinition, type McpStdioServer, needsTrust } from './definition.ts';
import type { McpElicit } from './elicitation.ts';
import type { McpFailure, McpOutcome } from './failure.ts';
import type { McpRunHelper } from './open-client.ts';
import { type McpMention, readMentions, readResourceOf } from './mentions.ts';
import { serverKey } from './names.ts';
import type { McpAuthorize } from './oauth/sign-in.ts';
import { tokenFiles } from './oauth/token-file.ts';
import { openOfferedCache } from './offered-cache.ts';
import { expandCommand, listCommands, type McpCommand, type McpExpanded } from './prompts.ts';
import type { McpLaunch } from './stdio-transport.ts';
import { serverTools } from './tools.ts';

export type McpOptions = {
  readonly servers: ReadonlyArray<McpServerDefinition>;
  /** Where programs start, and the root that servers are told. */
  readonly workspace: string;
  /** Our version, told to servers. */
  readonly version: string;
  /** Variables of the host. Absent: those of this process. Programs see the allow-listed ones and their own `env`. */
  readonly variables?: Variables;
  /** Given: a repository's programs are started inside it; those that a person configured run as that person. */
  readonly sandbox?: Sandbox;
  /** Whether a program is started inside the sandbox. Absent: where a repository defines it. */
  readonly isConfined?: (definition: McpServerDefinition) => boolean;
  /** Why a program of a repository may not be started now, or null. Asked at every start. */
  readonly changed?: (server: McpStdioServer) => ChangedProgram | null;
  /** Called for every server that a repository defines. Absent: none of those is used. */
  readonly isTrusted?: (definition: McpServerDefinition) => boolean;
  /** Absent: a server that asks the person something is declined. */
  readonly elicit?: McpElicit;
  /** Absent: nobody can sign in; stored tokens are used and refreshed. */
  readonly authorize?: McpAuthorize;
  /** Runs a command that prints headers. Absent: servers that name one are not used. */
  readonly runHelper?: McpRunHelper;
  /** Where tokens, and what servers offered, are stored. Absent: in memory only. */
  readonly home?: string;
  /** The limit for one answer as the model gets it. Absent: 25,000 tokens. */
  readonly maxOutputTokens?: number;
  readonly clock?: { readonly now: () => number };
};

export type McpServerStatus = {
  /** As in the names of its tools. */
  readonly key: string;
  readonly name: string;
  readonly state: ServerState | 'untrusted';
  readonly problem: McpFailure | null;
  /** What of its answers was left out, and why. */
  readonly notes?: ReadonlyArray<string>;
};

/** `start` after `changed.accept`: null, or why it could not be started. */
export type HeldServer = {
  readonly name: string;
  readonly changed: ChangedProgram;
  readonly start: () => Promise<string | null>;
};

/**
 * The servers of one session. Opening starts none; `ready` asks those whose tools are unknown, and the first use starts the others. Nothing
 * here rejects: a server's failure is returned as a value. `close` ends them all.
 */
export type Mcp = {
  /** The current tools of all servers: a source for `SessionOptions.toolSources`. */
  readonly list: () => ReadonlyArray<McpTool>;
  readonly ready: () => Promise<ReadonlyArray<McpServerStatus>>;
  /** Servers whose tools are unknown because their programs changed since they were trusted: none of them was started. */
  readonly held: () => ReadonlyArray<HeldServer>;
  readonly servers: () => ReadonlyArray<McpServerStatus>;
  /** What a program may do to the servers while the session runs. */
  readonly changes: McpChanges;
  readonly commands: (which?: 'all' | 'running') => Promise<ReadonlyArray<McpCommand>>;
  /** `/mcp__server__prompt arguments`; null: it is no such command. */
  readonly expand: (text: string, signal?: AbortSignal) => Promise<McpOutcome<McpExpanded> | null>;
  /** Reads what a text mentions as `@server:uri`. */
  readonly mentions: (text: string, signal?: AbortSignal) => Promise<ReadonlyArray<McpMention>>;
  /** The contents of one resource, as its server gives them. */
  readonly readResource: (server: string, uri: string) => Promise<McpOutcome<ReadonlyArray<unknown>>>;
  readonly close: () => Promise<void>;
};

/** The servers by their definitions; an untrusted one that needs trust is listed and never started. */
export function openMcp(options: McpOptions): Mcp {
  const taken = new Set<string>();
  const keyed = options.servers.map((definition) => ({ definition, key: serverKey(definition.name, taken) }));
  const off = new Set<string>();
  const isUsed = (definition: McpServerDefinition): boolean =>
    !needsTrust(definition) || options.isTrusted?.(definition) === true;
  const connect = connector(options);
  const connections = new Map(
    keyed.filter(({ definition }) => isUsed(definition)).map(({ key, definition }) => [key, connect(definition)]),
  );
  const statusOf = ({ key, definition }: (typeof keyed)[number]): McpServerStatus => {
    const connection = connections.get(key);
    const { name } = definition;
    if (off.has(key)) return { key, name, state: 'closed', problem: null };
    if (connection === undefined) return { key, name, state: 'untrusted', problem: UNTRUSTED };
    const changed = connection.offered() === null ? changedOf(connection, options) : null;
    if (changed !== null) return { key, name, state: 'failed', problem: notStarted(name, changed) };
    return { key, name, state: connection.state(), problem: connection.problem(), notes: connection.notes() };
  };
  const given = (signal: AbortSignal | undefined) => ({
    servers: connections,
    ...defined({ signal }),
  });
  const changes = mcpChanges({ keyed, connections, off, taken, connect, isUsed });
  return {
    changes,
    list: toolList(connections, options),
    ready: async () => {
      const unknown = [...connections.values()].filter(
        (connection) => connection.offered() === null && changedOf(connection, options) === null,
      );
      await Promise.all(unknown.map((connection) => connection.start()));
      return keyed.map(statusOf);
    },
    servers: () => keyed.map(statusOf),
    held: () => heldOf([...connections.values()], options),
    commands: (which) => listCommands(connections, which),
    expand: (text, signal) => expandCommand(text, given(signal)),
    mentions: (text, signal) => readMentions(text, given(signal)),
    readResource: (server, uri) => readResourceOf(connections, server, uri),
    close: async () => {
      changes.end();
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
}

const UNTRUSTED: McpFailure = {
  code: 'untrusted',
  message: 'The repository defines this server, and nobody trusted that: see `attractor trust show`.',
  retryable: false,
};

function notStarted(name: string, { message }: ChangedProgram): McpFailure {
  return { code: 'untrusted', message: `The MCP server ${name} was not started: ${message}`, retryable: false };
}

/** What keeps its program from being started; null while it runs, or if nothing does. */
function changedOf({ definition, state }: Connection, { changed }: McpOptions): ChangedProgram | null {
  const { transport } = definition;
  if (changed === undefined || transport.kind !== 'stdio' || !needsTrust(definition)) return null;
  return state() === 'on' ? null : changed(transport);
}

function heldOf(connections: ReadonlyArray<Connection>, options: McpOptions): ReadonlyArray<HeldServer> {
  return connections.flatMap((connection) => {
    const changed = connection.offered() === null ? changedOf(connection, options) : null;
    if (changed === null) return [];
    const start = async (): Promise<string | null> => {
      const started = await connection.start();
      return started.ok ? null : started.error.message;
    };
    return [{ name: connection.definition.name, changed, start }];
  });
}

function connector(options: McpOptions): (definition: McpServerDefinition) => Connection {
  const now = options.clock?.now ?? Date.now;
  const home = options.home ?? null;
  const cache = openOfferedCache(home, now);
  const { workspace, sandbox, version, elicit, authorize, changed, isConfined = needsTrust, runHelper } = options;
  const variables = options.variables ?? hostVariables();
  const launchOf = (definition: McpServerDefinition): McpLaunch => ({
    workspace,
    variables,
    ...(isConfined(definition) ? defined({ sandbox }) : { isOwn: true }),
    ...(needsTrust(definition) ? defined({ changed }) : {}),
  });
  const means = {
    version,
    tokenFile: tokenFiles(home),
    ...defined({ elicit, authorize, runHelper }),
  };
  return (definition) =>
    createConnection(definition, {
      means: { ...means, launch: launchOf(definition) },
      now,
      known: cache.read(definition),
      onOffered: (offered) => cache.write(definition, offered),
    });
}

/** The same value for the same offer, so that schemas are compiled once. */
function toolList(connections: ReadonlyMap<string, Connection>, options: McpOptions): Mcp['list'] {
  const made = new WeakMap<Offered, ReadonlyArray<McpTool>>();
  const settings = defined({ maxTokens: options.maxOutputTokens });
  return () =>
    [...connections].flatMap(([key, connection]) => {
      const offered = connection.offered();
      if (offered === null) return [];
      const tools = made.get(offered) ?? checked(connection, serverTools(connection, offered, { key, ...settings }));
      made.set(offered, tools);
      return tools;
    });

  function checked(connection: Connection, tools: ReadonlyArray<McpTool>): ReadonlyArray<McpTool> {
    if (options.changed === undefined || !needsTrust(connection.definition)) return tools;
    return tools.map((tool) => ({ ...tool, changed: () => changedOf(connection, options) }));
  }
}
