import { writeFileSync } from 'node:fs';
import { access, constants, rm } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { messageOf } from '@attractor/base';
import { createRedactor, type Redactor, secretValues } from '@attractor/redact';
import { endProgramsOf, type Program, programFiles, startProgram } from '@attractor/confine';
import { runGit } from '@attractor/git';
import type { Agent, AgentFailure, AgentRunOptions, AgentRunResult, TokenUsage } from './agent.ts';
import { type CliDefinition, fillArguments, names } from './cli/definition.ts';
import { furtherInputText } from './cli/further-input.ts';
import { createOutputReader, type OutputReader } from './cli/read-output.ts';
import { type ProcessStart, isRunning, openRunRecord, type RunRecord } from './cli/run-record.ts';
import { openSpool } from './cli/spool.ts';
import { RUN_DEFAULTS } from '@attractor/facts';

export type CliAgentOptions = {
  /** The name under which it was configured. */
  readonly type: string;
  readonly definition: CliDefinition;
  /** The host's variables; those that the definition names are passed on. */
  readonly env: Readonly<Record<string, string | undefined>>;
};

const PATIENCE = { askAfterMs: 0, killAfterMs: 3_000 };
const LAST_WORDS = 2_000;

/**
 * Any command as an agent. It runs in its own process group, in the run's sandbox, and reports by its output; its outcome is in the markers
 * of its last text. A start that was cut off is ended first and then repeated, which the prompt mentions. A further input is another start
 * that is told what happened before.
 */
export function createCliAgent(cli: CliAgentOptions): Agent {
  const { type, definition } = cli;
  return {
    type,
    displayName: definition.displayName ?? type,
    isAvailable: async () => {
      const [file] = definition.command;
      if (await isProgram(file, cli.env)) return { available: true };
      return { available: false, reason: `the command "${file}" is not found; install it, or give its full path` };
    },
    getDefaultConfig: () => RUN_DEFAULTS,
    run: (options) => runCommand(cli, options, 'run'),
    say: ({ inputKey, ...options }) => runCommand(cli, options, inputKey),
  };
}

async function isProgram(file: string, env: CliAgentOptions['env']): Promise<boolean> {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder));
  const places = file.includes('/') ? [file] : folders.map((folder) => join(folder, file));
  for (const place of places) {
    const found = await access(place, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}

/** `input` names the request: repeated, it returns the earlier result, or continues where it was cut off. */
async function runCommand(cli: CliAgentOptions, options: AgentRunOptions, input: string): Promise<AgentRunResult> {
  const command = commandFor(cli.definition, options);
  if (command === null) return failed(NOT_HELD);
  const record = openRunRecord(options.statePath);
  const earlier = record.messages();
  for (const message of earlier) options.onMessage(message);
  const starts = record.starts();
  const before = starts.filter((start) => start.input === input);
  const ended = before.findLast(({ result }) => result !== null)?.result;
  if (ended !== undefined && ended !== null) return ended;
  const mark = `cli-${options.runId.replaceAll(/[^\w-]/g, '_')}`;
  const leftBehind = starts.some(isRunning);
  await endProgramsOf(mark);
  if (starts.some(isRunning)) return failed(STILL_RUNNING);
  // Nothing that is stored or shown contains the secrets that the command was given.
  const redactor = createRedactor({ secrets: secretValues({ ...options.env, ...passedOn(cli) }) });
  if (input === 'run') record.keepPrompt(redactor.text(options.prompt));
  const number = record.begin(input);
  const tell = teller({ options, record, number, redactor });
  if (before.length > 0) tell({ kind: 'notice', level: 'warning', text: againNotice(number, leftBehind) });
  const asked =
    input === 'run'
      ? options.prompt
      : furtherInputText({ first: record.firstPrompt(), messages: earlier, prompt: options.prompt });
  const prompt = before.length === 0 ? asked : `${AGAIN}\n\n${asked}`;
  const last = await attempt({ cli, options, record, number, command, mark, prompt, tell, redactor });
  const result = { ...last, tokenUsage: usageOfAll(starts, last) };
  const { reason } = options.abortSignal;
  const isLetGo = options.abortSignal.aborted && (reason === 'shutdown' || reason === 'lost_lease');
  if (!isLetGo) record.end(number, result);
  return result;
}

/** Each result includes the usage of everything before it in the conversation. */
function usageOfAll(starts: ReadonlyArray<ProcessStart>, { tokenUsage }: AgentRunResult): TokenUsage {
  const before = starts.findLast(({ result }) => result !== null)?.result?.tokenUsage;
  if (before === undefined) return tokenUsage;
  const isKnown = before.totalCost !== null && tokenUsage.totalCost !== null;
  return {
    inputTokens: before.inputTokens + tokenUsage.inputTokens,
    outputTokens: before.outputTokens + tokenUsage.outputTokens,
    totalCost: isKnown ? (before.totalCost ?? 0) + (tokenUsage.totalCost ?? 0) : null,
  };
}

const AGAIN =
  'An earlier attempt at this was cut off in the middle. What it changed is in the working folder: look at it first, then go on.';

function againNotice(number: number, leftBehind: boolean): string {
  const ended = leftBehind ? ' Its process was still there and was ended.' : '';
  return `The command was cut off and is started anew (start ${number}).${ended}`;
}

const NOT_HELD: AgentFailure = {
  code: 'not_read_only',
  message:
    'This run only reads, and nothing here holds the command to that. Run it in a sandbox, or give the agent a "readOnlyCommand".',
  retryable: false,
};

const STILL_RUNNING: AgentFailure = {
  code: 'still_running',
  message: 'The process of an earlier start is still there and could not be ended.',
  retryable: true,
};

function commandFor(
  definition: CliDefinition,
  { readOnly, sandbox }: AgentRunOptions,
): CliDefinition['command'] | null {
  if (!readOnly) return definition.command;
  return definition.readOnlyCommand ?? (sandbox === undefined ? null : definition.command);
}

type Told = Pick<Attempting, 'options' | 'record' | 'number' | 'redactor'>;
type Tell = Parameters<typeof createOutputReader>[1]['tell'];

/** Stored before it is reported, under a key that stays the same. */
function teller({ options, record, number, redactor }: Told): Tell {
  let count = 0;
  return (body) => {
    const message = { key: `${number}:${(count += 1)}`, ...redactor.value(body) };
    record.add(message);
    options.onMessage(message);
  };
}

function passedOn({ definition, env }: CliAgentOptions): Readonly<Record<string, string>> {
  return Object.fromEntries(definition.env.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

type Attempting = {
  readonly cli: CliAgentOptions;
  readonly options: AgentRunOptions;
  readonly record: RunRecord;
  readonly number: number;
  readonly command: CliDefinition['command'];
  readonly mark: string;
  readonly prompt: string;
  readonly tell: Tell;
  readonly redactor: Redactor;
};

async function attempt(on: Attempting): Promise<AgentRunResult> {
  const { cli, options, command, prompt, mark } = on;
  if (options.abortSignal.aborted) return stopped(options, null);
  const promptFile = names(command, 'promptFile') ? await writePrompt(options, prompt) : '';
  const argv = fillArguments(command, {
    prompt,
    promptFile,
    worktree: options.projectPath,
    model: options.config.model ?? '',
  });
  try {
    const program = startProgram({
      argv,
      readable: programFiles(command),
      cwd: options.projectPath,
      env: { ...options.env, ...passedOn(cli) },
      inherited: options.env,
      sandbox: options.sandbox,
      ...(options.readOnly ? { readOnly: true } : {}),
      mark,
    });
    const isNamed = names(command, 'prompt') || names(command, 'promptFile');
    return await follow(on, program, isNamed ? '' : prompt);
  } catch (error) {
    return failed({ code: 'not_started', message: messageOf(error), retryable: false });
  } finally {
    if (promptFile !== '') await rm(promptFile, { force: true });
  }
}

/** In the repository's own folder, which the command can read and which no commit contains. */
async function writePrompt(options: AgentRunOptions, prompt: string): Promise<string> {
  const found = await runGit(['rev-parse', '--absolute-git-dir'], { cwd: options.projectPath });
  const folder = found.exitCode === 0 ? found.stdout.trim() : options.statePath;
  const file = join(folder, `attractor-prompt-${options.runId.replaceAll(/[^\w-]/g, '_')}.md`);
  writeFileSync(file, prompt, { mode: 0o600 });
  return file;
}

async function follow(on: Attempting, program: Program, input: string): Promise<AgentRunResult> {
  const { cli, options, record, number, tell, redactor } = on;
  const { child } = program;
  const reader = createOutputReader(cli.definition, {
    tell,
    live: (text) => options.onDelta({ kind: 'text_delta', text }),
  });
  const spool = openSpool(record.outputFile(number), redactor);
  let words = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    spool.stdout(chunk);
    reader.push(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    spool.stderr(chunk);
    words = `${words}${chunk.toString()}`.slice(-LAST_WORDS);
  });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined);
  const over = untilOver(program, options.abortSignal);
  if (child.pid !== undefined) {
    record.started(number, child.pid);
    options.onPidAssigned?.(child.pid);
  }
  child.stdin?.end(input);
  const exit = await over;
  await spool.end();
  reader.end();
  return conclude(on, { exit, reader, words: words.trim() });
}

type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly error: Error | null };

const DRAIN_MS = 2_000;

/** A leftover process may hold its pipes open: that is ended too, and the output until then counts. */
async function untilOver(program: Program, signal: AbortSignal): Promise<Exit> {
  const { child } = program;
  const over = Promise.withResolvers<Exit>();
  const closed = Promise.withResolvers<void>();
  child.once('error', (error) => over.resolve({ code: null, signal: null, error }));
  child.once('exit', (code, by) => over.resolve({ code, signal: by, error: null }));
  child.once('close', () => closed.resolve());
  const stop = (): void => void program.end(PATIENCE);
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const exit = await over.promise;
  signal.removeEventListener('abort', stop);
  const drained = new Promise<void>((resolve) => setTimeout(resolve, DRAIN_MS).unref());
  await program.end(PATIENCE);
  if (exit.error === null) await Promise.race([closed.promise, drained]);
  return exit;
}

type Ended = { readonly exit: Exit; readonly reader: OutputReader; readonly words: string };

function conclude({ cli, options, redactor }: Attempting, { exit, reader, words }: Ended): AgentRunResult {
  const told = { finalText: redactor.text(reader.finalText()), tokenUsage: reader.usage() };
  if (options.abortSignal.aborted) return { ...stopped(options, exit), ...told };
  if (exit.error !== null)
    return { ...failed({ code: 'not_started', message: messageOf(exit.error), retryable: false }), ...told };
  const limit = limitIn(told.finalText);
  if (limit !== null)
    return { ...told, exitCode: exit.code || 1, error: { code: 'rate_limit', message: limit, retryable: true } };
  if (exit.code === 0) return { ...told, exitCode: 0 };
  const how = exit.code === null ? `was ended by ${exit.signal ?? 'a signal'}` : `ended with exit code ${exit.code}`;
  const message = `${cli.definition.displayName ?? cli.type} ${how}${words === '' ? '' : `: ${redactor.text(words)}`}`;
  return { ...told, exitCode: exit.code ?? 1, error: { code: 'exit', message, retryable: exit.code === null } };
}

/** Long enough for a sentence with its time, too short for a report that is about limits. */
const LIMIT_CHARS = 400;
const LIMIT =
  /usage limit|rate.?limit|limit reached|(?:hit|reached|exceeded) (?:your|the|its)[\w -]{0,30}(?:limit|quota)|quota exceeded|too many requests/i;

/** What a command says at its end when its provider lets it work no more: its last lines, and nothing else after them. */
function limitIn(output: string): string | null {
  const last =
    output
      .trim()
      .split(/\n[ \t]*\r?\n/)
      .at(-1) ?? '';
  return last.length <= LIMIT_CHARS && !last.includes('<<<') && LIMIT.test(last) ? last : null;
}

function stopped({ abortSignal }: AgentRunOptions, exit: Exit | null): AgentRunResult {
  const message = `The run was stopped (${String(abortSignal.reason)})`;
  const tokenUsage = { inputTokens: 0, outputTokens: 0, totalCost: null };
  return { ...failed({ code: 'stopped', message, retryable: true }), tokenUsage, exitCode: exit?.code || 1 };
}

/** The program did not run. */
function failed(error: AgentFailure): AgentRunResult {
  return { exitCode: 1, finalText: '', tokenUsage: { inputTokens: 0, outputTokens: 0, totalCost: 0 }, error };
}
