import { defined } from '@attractor/base';
import { hostVariables, type Variables } from '@attractor/system';
import type { Sandbox } from '@attractor/confine';
import type { McpTool } from './tool.ts';
import { type Connection, createConnection, type ServerState } from './connection.ts';
import type { Offered } from './server-life.ts';
import { type McpServerDefinition, type McpStdioServer, needsTrust } from './definition.ts';
import type { McpElicit } from './elicitation.ts';
import type { McpFailure, McpOutcome } from './failure.ts';
import { type McpMention, readMentions } from './mentions.ts';
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
  readonly changed?: (server: McpStdioServer) => string | null;
  /** Called for every server that a repository defines. Absent: none of those is used. */
  readonly isTrusted?: (definition: McpServerDefinition) => boolean;
  /** Absent: a server that asks the person something is declined. */
  readonly elicit?: McpElicit;
  /** Absent: nobody can sign in; stored tokens are used and refreshed. */
  readonly authorize?: McpAuthorize;
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
};

/**
 * The servers of one session. Opening starts none; `ready` asks those whose tools are unknown, and the first use starts the others. Nothing
 * here rejects: a server's failure is returned as a value. `close` ends them all.
 */
export type Mcp = {
  /** The current tools of all servers: a source for `SessionOptions.toolSources`. */
  readonly list: () => ReadonlyArray<McpTool>;
  readonly ready: () => Promise<ReadonlyArray<McpServerStatus>>;
  readonly servers: () => ReadonlyArray<McpServerStatus>;
  readonly commands: () => Promise<ReadonlyArray<McpCommand>>;
  /** `/mcp__server__prompt arguments`; null: it is no such command. */
  readonly expand: (text: string, signal?: AbortSignal) => Promise<McpOutcome<McpExpanded> | null>;
  /** Reads what a text mentions as `@server:uri`. */
  readonly mentions: (text: string, signal?: AbortSignal) => Promise<ReadonlyArray<McpMention>>;
  readonly close: () => Promise<void>;
};

/** The servers by their definitions; an untrusted one that needs trust is listed and never started. */
export function openMcp(options: McpOptions): Mcp {
  const taken = new Set<string>();
  const keyed = options.servers.map((definition) => ({ definition, key: serverKey(definition.name, taken) }));
  const isUsed = (definition: McpServerDefinition): boolean =>
    !needsTrust(definition) || options.isTrusted?.(definition) === true;
  const connect = connector(options);
  const connections = new Map(
    keyed.filter(({ definition }) => isUsed(definition)).map(({ key, definition }) => [key, connect(definition)]),
  );
  const statusOf = ({ key, definition }: (typeof keyed)[number]): McpServerStatus => {
    const connection = connections.get(key);
    const { name } = definition;
    if (connection === undefined) return { key, name, state: 'untrusted', problem: UNTRUSTED };
    return { key, name, state: connection.state(), problem: connection.problem() };
  };
  const given = (signal: AbortSignal | undefined) => ({
    servers: connections,
    ...defined({ signal }),
  });
  return {
    list: toolList(connections, options.maxOutputTokens),
    ready: async () => {
      const unknown = [...connections.values()].filter((connection) => connection.offered() === null);
      await Promise.all(unknown.map((connection) => connection.start()));
      return keyed.map(statusOf);
    },
    servers: () => keyed.map(statusOf),
    commands: () => listCommands(connections),
    expand: (text, signal) => expandCommand(text, given(signal)),
    mentions: (text, signal) => readMentions(text, given(signal)),
    close: async () => {
      await Promise.all([...connections.values()].map((connection) => connection.close()));
    },
  };
}

const UNTRUSTED: McpFailure = {
  code: 'untrusted',
  message: 'The repository defines this server, and nobody trusted that: see `attractor trust show`.',
  retryable: false,
};

function connector(options: McpOptions): (definition: McpServerDefinition) => Connection {
  const now = options.clock?.now ?? Date.now;
  const home = options.home ?? null;
  const cache = openOfferedCache(home, now);
  const { workspace, sandbox, version, elicit, authorize, changed, isConfined = needsTrust } = options;
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
    ...defined({ elicit, authorize }),
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
function toolList(connections: ReadonlyMap<string, Connection>, maxTokens: number | undefined): Mcp['list'] {
  const made = new WeakMap<Offered, ReadonlyArray<McpTool>>();
  return () =>
    [...connections].flatMap(([key, connection]) => {
      const offered = connection.offered();
      if (offered === null) return [];
      const tools = made.get(offered) ?? serverTools(connection, offered, { key, ...defined({ maxTokens }) });
      made.set(offered, tools);
      return tools;
    });
}
