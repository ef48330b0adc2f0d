import { isRecord } from '@attractor/base';
import { callMcpServer, type McpFailure, type McpOutcome, type McpServerCaller } from '@attractor/mcp';
import { CommandFailure, EXIT, catchStop, putText } from '@attractor/console';
import { VERSION } from '../version.ts';

/** `attractor mcp tools`: everything the server lists, as one line of JSON. */
export function listTools(argv: string): Promise<number> {
  return withServer(argv, async (server) => {
    const listed = await server.tools();
    return listed.ok ? { ok: true, value: { tools: listed.value } } : listed;
  });
}

/** `attractor mcp call`: one call, with the server's answer unchanged. */
export function callOne(argv: string, tool: string, args: string): Promise<number> {
  const given = jsonObject(args);
  return withServer(argv, async (server, signal) => {
    const listed = await server.tools();
    if (!listed.ok) return listed;
    const called = await server.call(tool, given, signal);
    if (!called.ok) return called;
    const { isError = false, ...result } = called.value;
    return { ok: true, value: { ...result, isError } };
  });
}

async function withServer(
  text: string,
  work: (server: McpServerCaller, signal: AbortSignal) => Promise<McpOutcome<object>>,
): Promise<number> {
  const [command, ...args] = argvOf(text);
  if (command === undefined) throw new CommandFailure('--stdio: the list has no program in it.', EXIT.usage);
  const stop = catchStop();
  const server = callMcpServer(
    { name: 'server', scope: 'flag', transport: { kind: 'stdio', command, args, env: {} } },
    { workspace: process.cwd(), version: VERSION },
  );
  const onStop = (): void => void server.close();
  stop.signal.addEventListener('abort', onStop, { once: true });
  const outcome = await work(server, stop.signal);
  await server.close();
  stop.release();
  putText(process.stdout, `${JSON.stringify(outcome.ok ? outcome.value : { error: errorOf(outcome.error) })}\n`);
  if (stop.signal.aborted) return stop.exitCode();
  return outcome.ok ? EXIT.done : EXIT.failed;
}

/** The server's own code, if it answered with one. */
function errorOf({ code, serverCode, message }: McpFailure): {
  readonly code: number | string;
  readonly message: string;
} {
  return { code: serverCode ?? code, message };
}

function argvOf(text: string): ReadonlyArray<string> {
  const value = parsed(text);
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value;
  throw new CommandFailure('--stdio: expected a JSON list of texts, such as \'["node","server.js"]\'.', EXIT.usage);
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  const value = parsed(text);
  if (isRecord(value)) return { ...value };
  throw new CommandFailure('the arguments: expected one JSON object, such as \'{"path":"."}\'.', EXIT.usage);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
