import { spawn } from 'node:child_process';
import { defined, isRecord } from '@attractor/base';
import type { ExecutionEnvironment } from '@attractor/agent';
import { publicName } from './definitions.ts';
import { runFileTool, type FileToolAnswer, type FileToolCall } from './run.ts';

/** How the executor calls the six tools: in this process, or through the program `file-tools`. */
export type FileTools = { readonly run: (call: FileToolCall) => Promise<FileToolAnswer> };

/** The six tools in this process, within an environment. */
export function createFileTools(environment: ExecutionEnvironment): FileTools {
  return { run: (call) => runFileTool(call, environment) };
}

export type FileToolsProgram = {
  /** The program and its first arguments; the workspace and the request follow. */
  readonly command: readonly [program: string, ...args: ReadonlyArray<string>];
  readonly workspaceRoot: string;
  readonly env: Readonly<Record<string, string>>;
};

/** Linux refuses a single argument of 128 KiB or more: a longer request goes through stdin. */
const MAX_ARGUMENT_BYTES = 100_000;

/** The six tools through the program, one process for each call. */
export function createBinaryFileTools(program: FileToolsProgram): FileTools {
  return { run: (call) => spawnFileTools(program, call) };
}

/** The command line of one call, and what it reads on stdin. */
export function commandLineOf(
  { command, workspaceRoot }: Pick<FileToolsProgram, 'command' | 'workspaceRoot'>,
  { name, input }: Pick<FileToolCall, 'name' | 'input'>,
): { readonly argv: readonly [string, ...ReadonlyArray<string>]; readonly stdin: string } {
  const [program, ...first] = command;
  const request = JSON.stringify({ tool: publicName(name) ?? name, ...input });
  const isLong = Buffer.byteLength(request) > MAX_ARGUMENT_BYTES;
  return {
    argv: [program, ...first, workspaceRoot, isLong ? '-' : request],
    stdin: isLong ? request : '',
  };
}

async function spawnFileTools(program: FileToolsProgram, call: FileToolCall): Promise<FileToolAnswer> {
  const { argv, stdin } = commandLineOf(program, call);
  const [file, ...args] = argv;
  const child = spawn(file, args, {
    env: program.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...defined({ signal: call.signal }),
  });
  const streams = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (streams.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (streams.stderr += text));
  child.stdin.on('error', () => undefined).end(stdin);
  const problem = await new Promise<string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', () => resolve(null));
  });
  if (call.signal?.aborted === true) return failure('cancelled', 'The call was cancelled before it was done.');
  return answerOf(streams.stdout) ?? failure('tool_failed', problem ?? noAnswer(streams.stderr));
}

/** Null if the program did not write this. */
export function answerOf(stdout: string): FileToolAnswer | null {
  try {
    const output = stdout.trimEnd();
    const value: unknown = JSON.parse(output);
    return isRecord(value) ? { output, isError: typeof value['error'] === 'string' } : null;
  } catch {
    return null;
  }
}

function noAnswer(stderr: string): string {
  return `file-tools gave no answer: ${stderr.trim().slice(0, 500) || 'it said nothing'}.`;
}

function failure(error: string, message: string): FileToolAnswer {
  return { output: JSON.stringify({ error, message }), isError: true };
}
