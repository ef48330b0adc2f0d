import type { ChildProcess } from 'node:child_process';
import { homedir } from 'node:os';
import path from 'node:path';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { errorOf, isRecord } from '@attractor/base';
import { AGENT_VARIABLES, childVariables, type Variables } from '@attractor/system';
import { type Program, programFiles, type Sandbox, startProgram } from '@attractor/confine';
import { newId } from '@attractor/base/id';

import type { McpStdioServer } from './definition.ts';
import { createLines } from './lines.ts';
import type { ChangedProgram } from './tool.ts';

/** Where and how programs are started. */
export type McpLaunch = {
  readonly workspace: string;
  /** Variables of the host; a server sees what is harmless of them, a person's own one also what leads to their other programs. */
  readonly variables: Variables;
  readonly sandbox?: Sandbox;
  /** A person's own server, which nothing of the workspace may steer. */
  readonly isOwn?: boolean;
  /** Why it may not be started now, or null. */
  readonly changed?: (server: McpStdioServer) => ChangedProgram | null;
};

export type StdioTransport = Transport & {
  /** The last lines that it printed for people. */
  readonly lastWords: () => string;
};

const MAX_LINE_BYTES = 32 << 20;
const LAST_WORDS = 2_000;
/** From closing its input to SIGTERM, and from there to SIGKILL. */
const ASK_AFTER_MS = 300;
const KILL_AFTER_MS = 1_500;

/**
 * A server as a child process: the leader of its own process group, with what is harmless of the environment, inside the sandbox if there is one.
 * `close` ends it and everything it started, first with SIGTERM, then with SIGKILL; so does the end of this process.
 */
export function createStdioTransport(
  server: McpStdioServer,
  launch: McpLaunch,
  parse: (line: string) => JSONRPCMessage,
): StdioTransport {
  const mark = newId('mcp');
  let running: Program | null = null;
  let closing: Promise<void> | null = null;
  let words = '';
  const tell = (line: string): void => {
    try {
      transport.onmessage?.(parse(messageIn(line)));
    } catch (error) {
      // Many programs print a greeting where only messages belong: it is ignored.
      transport.onerror?.(errorOf(error));
      const answer = brokenAnswer(line);
      if (answer !== null) transport.onmessage?.(answer);
    }
  };
  // The client handles a notification one step later, and an answer at once: the next line waits until the previous one is processed, or
  // progress that arrives together with its answer would come too late.
  let told = Promise.resolve();
  const transport: StdioTransport = {
    lastWords: () => words.trim(),
    start: () => {
      const why = launch.changed?.(server) ?? null;
      if (why !== null) return Promise.reject(new Error(why.message));
      running = startServer(server, launch, mark);
      const { child } = running;
      const lines = createLines(MAX_LINE_BYTES, {
        onLine: (line) => void (told = told.then(() => tell(line))),
        onTooLong: () => {
          words += `\n(sent a message of more than ${MAX_LINE_BYTES >> 20} MiB)`;
          void transport.close();
        },
      });
      child.stdout?.on('data', lines.push);
      child.stderr?.on('data', (chunk: Buffer) => void (words = `${words}${chunk.toString()}`.slice(-LAST_WORDS)));
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined);
      child.once('exit', () => void transport.close());
      return spawned(child, () => void transport.close());
    },
    send: (message) => write(running?.child, `${JSON.stringify(message)}\n`),
    close: () => {
      closing ??= (async () => {
        if (running !== null) await endServer(running);
        transport.onclose?.();
      })();
      return closing;
    },
  };
  return transport;
}

/** A program that prints without ending its line puts the next message behind it. */
function messageIn(line: string): string {
  const start = line.startsWith('{') ? 0 : line.search(/\{"(?:jsonrpc|id|result|method)":/);
  return start > 0 ? line.slice(start) : line;
}

/** An answer in a form that is none ends the waiting for it. */
function brokenAnswer(line: string): JSONRPCMessage | null {
  try {
    const value: unknown = JSON.parse(messageIn(line));
    if (!isRecord(value) || 'method' in value || (!('result' in value) && !('error' in value))) return null;
    const { id } = value;
    if (typeof id !== 'number' && typeof id !== 'string') return null;
    return { jsonrpc: '2.0', id, error: { code: INVALID, message: 'Its answer has not the form of one' } };
  } catch {
    return null;
  }
}

const INVALID = -32_600;

function startServer({ command, args, env, cwd }: McpStdioServer, launch: McpLaunch, mark: string): Program {
  const { variables, sandbox, workspace } = launch;
  return startProgram({
    argv: [command, ...args],
    readable: programFiles([command, ...args]),
    cwd: cwd ?? (launch.isOwn === true ? folderFor(command, launch) : workspace),
    env: childVariables('inherit_harmless', variables, {
      ...valuesOf(CERTIFICATES, variables),
      ...(launch.isOwn === true ? valuesOf(AGENT_VARIABLES, variables) : {}),
    }),
    own: env,
    inherited: variables,
    sandbox,
    mark,
  });
}

/** Where a company's own authorities are: without them a server reaches nothing behind its proxy. */
const CERTIFICATES: ReadonlyArray<string> = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
];

function valuesOf(names: ReadonlyArray<string>, host: Variables): Variables {
  return Object.fromEntries(names.map((name) => [name, host[name]]));
}

/**
 * Programs that run or obey what they find in the folder where they start: a repository could name the package that `npx` gets, or shadow
 * a module of Python's. Started by a person's own server they begin in the home folder.
 */
const OBEY_THEIR_FOLDER = /^(?:npx|npm|pnpx|pnpm|yarn|bunx?|deno|uvx?|pipx|python[\d.]*|ruby|go|cargo|make|just)$/;

function folderFor(command: string, { workspace, variables }: McpLaunch): string {
  return OBEY_THEIR_FOLDER.test(path.basename(command)) ? (variables['HOME'] ?? homedir()) : workspace;
}

function spawned(child: ChildProcess, onFailure: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => {
      reject(error);
      onFailure();
    });
  });
}

async function endServer({ child, end }: Program): Promise<void> {
  await end({ askAfterMs: ASK_AFTER_MS, killAfterMs: KILL_AFTER_MS });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
}

/** A server that does not read is no reason to wait forever: its caller has a deadline. */
function write(child: ChildProcess | undefined, text: string): Promise<void> {
  if (child?.stdin?.writable !== true) return Promise.reject(new Error('it has ended'));
  child.stdin.write(text);
  return Promise.resolve();
}
