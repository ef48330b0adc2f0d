import { type ChildProcess, spawn } from 'node:child_process';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { askToEnd, askToEndBy, signalGroup } from '../execution/child.ts';
import { childVariables, type Variables } from '../execution/environment-variables.ts';
import { COMMAND_MARK, endSurvivors, markOf } from '../execution/survivors.ts';
import { newId } from '../id.ts';
import type { Sandbox } from '../sandbox/index.ts';
import type { McpStdioServer } from './definition.ts';
import { createLines } from './lines.ts';

/** Where and how programs are started. */
export type McpLaunch = {
  readonly workspace: string;
  /** Of the host; a server sees the allow-listed ones. */
  readonly variables: Variables;
  readonly sandbox?: Sandbox;
};

export type StdioTransport = Transport & {
  /** The last lines that it wrote for people. */
  readonly lastWords: () => string;
};

const MAX_LINE_BYTES = 32 << 20;
const LAST_WORDS = 2_000;
/** From closing its input to asking; from asking to not asking any longer. */
const ASK_AFTER_MS = 300;
const KILL_AFTER_MS = 1_500;

/**
 * A server as a child process: the leader of its own process group, with the allow-listed environment, inside the sandbox where there
 * is one. `close` ends it and all that it started, politely and then not; so does the end of this process.
 */
export function createStdioTransport(
  server: McpStdioServer,
  launch: McpLaunch,
  parse: (line: string) => JSONRPCMessage,
): StdioTransport {
  const mark = newId('mcp');
  let running: Started | null = null;
  let closing: Promise<void> | null = null;
  let words = '';
  const transport: StdioTransport = {
    lastWords: () => words.trim(),
    start: () => {
      running = startProgram(server, launch, mark);
      const { child } = running;
      const lines = createLines(MAX_LINE_BYTES, {
        onLine: (line) => {
          try {
            transport.onmessage?.(parse(line));
          } catch (error) {
            // Many programs print a greeting where only messages belong: it is passed over.
            transport.onerror?.(error instanceof Error ? error : new Error(String(error)));
          }
        },
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
        if (running !== null) await endProgram(running, mark);
        transport.onclose?.();
      })();
      return closing;
    },
  };
  return transport;
}

type Started = { readonly child: ChildProcess; readonly release: () => void };

function startProgram({ command, args, env, cwd }: McpStdioServer, launch: McpLaunch, mark: string): Started {
  const folder = cwd ?? launch.workspace;
  const inside = launch.sandbox?.wrap({ argv: [command, ...args], cwd: folder });
  const { variables } = launch;
  const child = spawn(inside?.file ?? command, inside?.args ?? args, {
    cwd: folder,
    env: {
      ...childVariables('inherit_core', variables, { ...inside?.env, ...env }),
      [COMMAND_MARK]: markOf(mark, variables[COMMAND_MARK]),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  if (inside !== undefined) askToEndBy(child, () => inside.terminate(child.pid ?? 0));
  // Nobody is left to end it in order.
  const atExit = (): void => signalGroup(child.pid, 'SIGKILL');
  process.once('exit', atExit);
  return {
    child,
    release: () => {
      process.off('exit', atExit);
      inside?.release();
    },
  };
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

async function endProgram({ child, release }: Started, mark: string): Promise<void> {
  const gone = new Promise<void>((resolve) => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) resolve();
    else child.once('exit', () => resolve());
  });
  child.stdin?.end();
  const timers = [
    setTimeout(() => askToEnd(child), ASK_AFTER_MS),
    setTimeout(() => signalGroup(child.pid, 'SIGKILL'), ASK_AFTER_MS + KILL_AFTER_MS),
  ];
  await gone;
  for (const timer of timers) clearTimeout(timer);
  signalGroup(child.pid, 'SIGKILL');
  await endSurvivors(mark);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
  release();
}

/** A server that does not read is no reason to wait for ever: whoever waits for its answer has a deadline. */
function write(child: ChildProcess | undefined, text: string): Promise<void> {
  if (child?.stdin?.writable !== true) return Promise.reject(new Error('it has ended'));
  child.stdin.write(text);
  return Promise.resolve();
}
