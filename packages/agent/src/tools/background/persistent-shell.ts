import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { defined } from '@attractor/base';
import { type Capture, createCapture, createProgress } from '@attractor/system';
import {
  EnvironmentError,
  type CommandEnd,
  type ExecOptions,
  type ExecResult,
  type ExecutionEnvironment,
  type RunningCommand,
} from '../../types/index.ts';
import { createMarkedStream, type MarkedStream } from './marked-stream.ts';

/**
 * One bash for all commands of a session: variables, functions and the working directory persist. Commands run one after the other. A
 * command that times out, is stopped, or ends the shell loses that state, and its result says so.
 */
export type PersistentShell = {
  /** The environment with its commands run by this shell. */
  readonly over: (env: ExecutionEnvironment) => ExecutionEnvironment;
  readonly end: () => Promise<void>;
};

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 1 << 20;

/** Copies of the outputs at the start: a command that redirects its own does not affect the marks. */
const SHELL = 'exec 8>&2 9>&1; exec /bin/bash --noprofile --norc';

type Shell = { readonly running: RunningCommand; end: CommandEnd | null; listen: Listen };
type Listen = (chunk: Uint8Array, stream: 'stdout' | 'stderr') => void;

/** A bash that lives on between calls, with its folder, variables and functions. */
export function createPersistentShell(): PersistentShell {
  let shell: Shell | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const run = async (env: ExecutionEnvironment, command: string, options: ExecOptions): Promise<ExecResult> => {
    if (options.signal?.aborted === true) throw stopped();
    if (shell === null || shell.end !== null) shell = await open(env);
    return runIn(shell, placed(env, command, options), options);
  };
  const queued = (env: ExecutionEnvironment, command: string, options: ExecOptions): Promise<ExecResult> => {
    const result = last.then(() => run(env, command, options));
    last = result.catch(() => undefined);
    return result;
  };
  return {
    over: (env) => ({
      ...env,
      execCommand: (command: string, second?: number | ExecOptions) =>
        queued(env, command, typeof second === 'object' ? second : defined({ timeoutMs: second })),
    }),
    end: async () => {
      await shell?.running.kill();
      shell = null;
    },
  };
}

async function open(env: ExecutionEnvironment): Promise<Shell> {
  if (env.startCommand === undefined)
    throw new EnvironmentError({ code: 'unsupported', message: 'A shell that stays open is not possible here.' });
  let listen: Listen = () => undefined;
  const running = await env.startCommand(SHELL, {
    input: 'open',
    onOutput: (chunk, stream) => listen(chunk, stream),
  });
  const shell: Shell = {
    running,
    end: null,
    get listen() {
      return listen;
    },
    set listen(next) {
      listen = next;
    },
  };
  void running.ended.then((end) => (shell.end = end));
  return shell;
}

type Streams = Readonly<Record<'stdout' | 'stderr', { readonly marked: MarkedStream; readonly capture: Capture }>>;

async function runIn(shell: Shell, command: string, options: ExecOptions): Promise<ExecResult> {
  const started = performance.now();
  const mark = `attractor-${randomUUID()}`;
  const progress = options.onOutput === undefined ? null : createProgress(options.onOutput);
  const streams: Streams = {
    stdout: streamUntil(mark, (chunk) => progress?.push(chunk, 'stdout')),
    stderr: streamUntil(mark, (chunk) => progress?.push(chunk, 'stderr')),
  };
  shell.listen = (chunk, stream) => streams[stream].marked.push(chunk);
  shell.running.write(framed(command, mark));
  const timeoutMs = Math.min(options.timeoutMs ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS);
  const ended = await outcome(shell, streams, { timeoutMs, signal: options.signal });
  if (ended === 'timedOut' || ended === 'aborted') shell.end = await shell.running.kill();
  progress?.end();
  shell.listen = () => undefined;
  if (ended === 'aborted') throw stopped();
  const exitCode = ended === 'done' ? Number(streams.stdout.marked.trailer()) : (shell.end?.exitCode ?? 0);
  const said = { stdout: streams.stdout.capture.text(), stderr: streams.stderr.capture.text(), exitCode };
  const notes = ended === 'timedOut' ? [] : ((await shell.running.explain?.(said)) ?? []);
  return {
    ...said,
    stderr: [said.stderr.trimEnd(), ...notes, noteOn(ended, timeoutMs)].filter(Boolean).join('\n'),
    timedOut: ended === 'timedOut',
    durationMs: Math.round(performance.now() - started),
  };
}

function streamUntil(mark: string, onlooker: (chunk: Buffer) => void): Streams['stdout'] {
  const capture = createCapture(MAX_OUTPUT_BYTES);
  const marked = createMarkedStream(mark, (bytes) => {
    capture.push(bytes);
    onlooker(Buffer.from(bytes));
  });
  return { marked, capture };
}

/** Passed to `eval` as one word, so that no quote or here-document of the command extends past its end. */
function framed(command: string, mark: string): string {
  const said = `printf '%s%d\\n' '${mark}'`;
  return `eval ${quoted(command)} </dev/null 8>&- 9>&-\n__attractor_status=$?; ${said} "$__attractor_status" >&9; ${said} 0 >&8\n`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\0', '').replaceAll("'", `'\\''`)}'`;
}

/** The shell itself remembers its folder: only an explicitly requested folder changes it. */
function placed(env: ExecutionEnvironment, command: string, { workingDir }: ExecOptions): string {
  if (workingDir === undefined || workingDir === '.') return command;
  return `cd -- ${quoted(path.resolve(env.workingDirectory(), workingDir))} && {\n${command}\n}`;
}

type Ended = 'done' | 'shellEnded' | 'timedOut' | 'aborted';

async function outcome(
  shell: Shell,
  { stdout, stderr }: Streams,
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined },
): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const onAbort = (): void => resolve('aborted');
  const timer = setTimeout(() => resolve('timedOut'), limits.timeoutMs);
  limits.signal?.addEventListener('abort', onAbort, { once: true });
  void Promise.all([stdout.marked.ended, stderr.marked.ended]).then(() => resolve('done'));
  void shell.running.ended.then(() => resolve('shellEnded'));
  const ended = await promise;
  clearTimeout(timer);
  limits.signal?.removeEventListener('abort', onAbort);
  if (ended !== 'done') for (const { marked } of [stdout, stderr]) marked.flush();
  return ended;
}

const LOST = 'the shell was started anew: variables and the working directory are as at the beginning.';

function noteOn(ended: Ended, timeoutMs: number): string {
  if (ended === 'timedOut') return `[Command timed out after ${timeoutMs} ms and was stopped; ${LOST}]`;
  return ended === 'shellEnded' ? `[The command ended the shell; ${LOST}]` : '';
}

function stopped(): EnvironmentError {
  return new EnvironmentError({ code: 'aborted', message: `The command was stopped on request; ${LOST}` });
}
