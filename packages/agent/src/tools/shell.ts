import { defined } from '@attractor/base';
import { EnvironmentError } from '../types/index.ts';
import type {
  ExecOptions,
  ExecResult,
  ExecutionEnvironment,
  RegisteredTool,
  ToolExecutor,
  ToolResult,
} from '../types/index.ts';
import { answering, optionalNumber, optionalText, requiredText } from './arguments.ts';
import { plainText } from './plain-text.ts';

export type ShellToolOptions = {
  /** Used if neither the call nor the session sets one; absent: the environment's own. */
  readonly defaultTimeoutMs?: number;
};

/** `shell`: one command line in bash. Its answer has stdout, stderr, the exit code and the time; a timeout is reported. */
export function createShellTool(options: ShellToolOptions = {}): RegisteredTool {
  return {
    definition: {
      name: 'shell',
      description:
        'Runs a bash command in the working directory and shows its output and exit code. There is no terminal and no input. Only the folder survives: after `cd sub` the next command starts in sub.',
      parameters: {
        type: 'object',
        properties: {
          command: { type: 'string', description: 'The command line.' },
          timeout_ms: {
            type: 'integer',
            minimum: 1,
            description: 'How long it may take, in milliseconds; at most 600000.',
          },
          working_dir: { type: 'string', description: 'The folder to run this command in, relative to the root.' },
        },
        required: ['command'],
        additionalProperties: false,
      },
    },
    executor: shellExecutor(options),
    serial: true,
  };
}

/** What `shell` does, for a tool of another name or shape. */
export function shellExecutor(options: ShellToolOptions = {}): ToolExecutor {
  return answering(async (args, env, context) => {
    const timeoutMs = optionalNumber(args, 'timeout_ms') ?? context?.commandTimeoutMs ?? options.defaultTimeoutMs;
    const how: ExecOptions = {
      mayLeaveSandbox: true,
      ...defined({ timeoutMs, signal: context?.signal, onOutput: context?.onOutput, leaving: context?.left }),
    };
    const command = requiredText(args, 'command');
    const workingDir = optionalText(args, 'working_dir');
    if (workingDir !== undefined) return answerOf(await env.execCommand(command, { ...how, workingDir }));
    const left = context?.workingDir ?? '.';
    const { result, notes, from } = await runWhereLeft(env, command, { ...how, workingDir: left });
    const now = result.workingDir ?? from;
    const answer = answerOf(result, now === from ? notes : [...notes, `[now in ${now}]`]);
    return now === left ? answer : { ...answer, workingDir: now };
  });
}

type Ran = { readonly result: ExecResult; readonly notes: ReadonlyArray<string>; readonly from: string };

/** If the folder is gone or no longer allowed, nothing was run: the command then runs in the root. */
async function runWhereLeft(
  env: ExecutionEnvironment,
  command: string,
  { workingDir: from, ...options }: ExecOptions & { readonly workingDir: string },
): Promise<Ran> {
  const asked = { ...options, tellWorkingDir: true };
  if (from === '.') return { result: await env.execCommand(command, asked), notes: [], from };
  try {
    return { result: await env.execCommand(command, { ...asked, workingDir: from }), notes: [], from };
  } catch (error) {
    if (!(error instanceof EnvironmentError) || !NO_PLACE.has(error.code)) throw error;
    const notes = [`[${from} can't be used any more: this ran in ${env.workingDirectory()}]`];
    return { result: await env.execCommand(command, asked), notes, from: '.' };
  }
}

/** Failures about a folder that occur before anything is started. */
const NO_PLACE: ReadonlySet<string> = new Set(['not_found', 'not_a_directory', 'outside', 'protected', 'invalid_path']);

function answerOf(result: ExecResult, notes: ReadonlyArray<string> = []): ToolResult {
  return { output: [describe(result), ...notes].join('\n'), isError: result.timedOut };
}

/** A command that failed did run, so its exit code is the answer. Only one that was cut off is an error. */
function describe(result: ExecResult): string {
  const ended =
    result.signal === undefined
      ? `exit code ${result.exitCode}`
      : `ended by ${result.signal}, exit code ${result.exitCode}`;
  return [
    shown(result.stdout),
    result.stderr === '' ? '' : `[stderr]\n${shown(result.stderr)}`,
    result.timedOut ? `[WARNING: the command timed out and was stopped. Give it a longer timeout_ms or run less.]` : '',
    `[${ended}, ${result.durationMs} ms]`,
  ]
    .filter(Boolean)
    .join('\n');
}

const SAMPLE = 8_192;
/** With more than one control character in this many, the output is binary. */
const BINARY_SHARE = 10;

/** Names in a list, as `find -print0` and `git ls-files -z` write it. */
const ENDED_BY_ZERO = /(?<=[^\0])\0(?!\0)/g;

/** Text that can't control a terminal; for binary output only its size. */
function shown(given: string): string {
  const output = given.replaceAll(ENDED_BY_ZERO, '\n');
  const sample = output.slice(0, SAMPLE);
  const odd = sample.match(/[\p{Cc}\ufffd]/gu)?.filter((character) => !'\t\n\r\u001b'.includes(character)).length ?? 0;
  if (odd * BINARY_SHARE > sample.length) return `[binary output, not shown: about ${output.length} bytes]`;
  return plainText(output).trimEnd();
}
