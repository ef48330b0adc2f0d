import { spawn, type ChildProcess } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EnvironmentError } from '../types/index.ts';
import type { EnvVarPolicy, ExecOptions, ExecResult, ExecutionEnvironment, StartOptions } from '../types/index.ts';
import type { AnchoredFolder } from '../containment/anchor.ts';
import { isInside, resolveInside } from '../containment/resolve.ts';
import { newId } from '../id.ts';
import type { Sandbox, WrappedCommand } from '../sandbox/sandbox.ts';
import { guardSecrets } from '../sandbox/secret-guard.ts';
import { changeFiles } from './change-files.ts';
import { recoverInterrupted } from './change-record.ts';
import { folderFor, holdRoot } from './command-folder.ts';
import { askToEndBy, signalGroup, superviseChild, type ChildOutcome } from './child.ts';
import { childVariables, hostVariables, withOwn, type Variables } from './environment-variables.ts';
import { environmentError } from './errno.ts';
import { versionOf } from './file-version.ts';
import { watchFolder, type FolderWatch } from './final-folder.ts';
import { globFiles } from './glob.ts';
import { grepFiles } from './grep.ts';
import { describeKept, keepOutputs, type KeptOutputs } from './kept-outputs.ts';
import { listEntries } from './list.ts';
import { withOpenFile } from './open-file.ts';
import { readNumberedLines } from './read-lines.ts';
import { readWholeBytes, readWholeText } from './read-raw.ts';
import { followCommand } from './running-command.ts';
import { COMMAND_MARK, endSurvivors, endSurvivorsOfAll, endSurvivorsSoon, markOf, type Survivor } from './survivors.ts';
import { deleteOne, writeWhole } from './write.ts';

export type LocalEnvironmentOptions = {
  /** What children may inherit from; absent: the environment of this process. */
  readonly env?: Variables;
  /** Of stdout and of stderr; the middle of more is left out. Default 1 MiB. */
  readonly maxOutputBytes?: number;
  /** Where outputs longer than that are kept, without secrets. Absent: a temporary folder that `cleanup` removes. */
  readonly outputFolder?: string;
  /** Absent: the packaged ripgrep. Null: search without it. */
  readonly ripgrep?: string | null;
  /** Commands run inside it, and file tools refuse what can't be read there. Whoever made it closes it. Absent: none. */
  readonly sandbox?: Pick<Sandbox, 'wrap' | 'secrets'> | undefined;
};

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 600_000;
const MAX_LISTED = 5;

/**
 * Acts on this machine. Every path is resolved link by link and must lead inside `workingDir`; writes are atomic;
 * commands run in their own process group, without stdin unless it is given, and leave nothing running.
 */
export function createLocalExecutionEnvironment(
  workingDir: string,
  envVarPolicy: EnvVarPolicy = 'inherit_core',
  options: LocalEnvironmentOptions = {},
): ExecutionEnvironment {
  const root = canonical(workingDir);
  const outputs = keepOutputs(options.outputFolder);
  const commands = createCommands({ root, outputs }, envVarPolicy, options);
  const rootOf = (asked: string): string => outputs.folderOf(asked) ?? root;
  const environment: ExecutionEnvironment = {
    ...fileOperations(root, rootOf),
    execCommand: commands.run,
    startCommand: commands.start,
    grep: (pattern, where, grepOptions = {}) =>
      abortable(where, () =>
        grepFiles({ root: rootOf(where), pattern, path: where, options: grepOptions, ripgrep: options.ripgrep }),
      ),
    glob: (pattern, where, { signal } = {}) =>
      abortable(where, () => globFiles(root, { pattern, path: where, signal })),
    initialize: async () => {
      folderFor(root, root).close();
      await recoverInterrupted(root);
    },
    cleanup: commands.end,
    workingDirectory: () => root,
    platform: () => process.platform,
    osVersion: () => os.release(),
  };
  return options.sandbox === undefined ? environment : guardSecrets(environment, options.sandbox.secrets);
}

type FileOperations = Pick<
  ExecutionEnvironment,
  | 'readFile'
  | 'readText'
  | 'readBytes'
  | 'writeFile'
  | 'deleteFile'
  | 'changeFiles'
  | 'fileExists'
  | 'fileVersion'
  | 'listDirectory'
>;

/** `rootOf`: what may be read from, where it is more than the root. */
function fileOperations(root: string, rootOf: (asked: string) => string): FileOperations {
  return {
    readFile: (file, offset = 0, limit = Infinity, { signal } = {}) =>
      abortable(file, () =>
        withOpenFile(rootOf(file), file, ({ fd }) => readNumberedLines(fd, file, { offset, limit, signal })),
      ),
    readText: (file, { signal } = {}) => abortable(file, () => readWholeText(root, file, signal)),
    readBytes: (file, { signal } = {}) => abortable(file, () => readWholeBytes(root, file, signal)),
    writeFile: (file, content, { signal, expectedVersion } = {}) =>
      abortable(file, async () => {
        signal?.throwIfAborted();
        await writeWhole(root, file, { content, expectedVersion });
      }),
    deleteFile: (file, { signal } = {}) =>
      abortable(file, async () => {
        signal?.throwIfAborted();
        await deleteOne(root, file);
      }),
    changeFiles: (changes, options = {}) =>
      abortable(changes[0]?.path ?? '', () => changeFiles(root, changes, options)),
    fileExists: async (file) => exists(root, file),
    fileVersion: async (file) => versionOf(resolveInside(root, file).real),
    listDirectory: (folder, depth = 1) => listEntries(root, folder, depth),
  };
}

type Commands = {
  readonly run: ExecutionEnvironment['execCommand'];
  readonly start: NonNullable<ExecutionEnvironment['startCommand']>;
  readonly end: () => Promise<void>;
};

type Places = { readonly root: string; readonly outputs: KeptOutputs };

function createCommands({ root, outputs }: Places, policy: EnvVarPolicy, options: LocalEnvironmentOptions): Commands {
  const name = newId('env');
  let count = 0;
  const held = holdRoot(root);
  let inherited: Record<string, string> | null = null;
  const surroundings = (own: string, asked: ExecOptions | StartOptions): Surroundings => {
    const host = options.env ?? hostVariables();
    inherited ??= childVariables(policy, host);
    return {
      folder: asked.workingDir === undefined ? held.folder() : folderFor(root, asked.workingDir),
      env: withOwn(inherited, { ...asked.envVars, [COMMAND_MARK]: markOf(own, host[COMMAND_MARK]) }),
      sandbox: options.sandbox,
    };
  };
  const run = async (command: string, first?: number | ExecOptions, ...place: CommandPlace): Promise<ExecResult> => {
    const asked = typeof first === 'object' ? first : positional(first, ...place);
    if (asked.signal?.aborted === true) throw stopped();
    const own = `${name}.${++count}`;
    const { outcome, group, endedIn } = await runCommand(command, {
      ...asked,
      ...surroundings(own, asked),
      maxOutputBytes: options.maxOutputBytes,
      outputs,
    });
    const cutOff = outcome.pipeHeld || outcome.timedOut || outcome.aborted;
    const survivors = cutOff ? await endSurvivors(own) : [];
    if (cutOff) signalGroup(group, 'SIGKILL');
    else {
      setImmediate(signalGroup, group, 'SIGKILL');
      endSurvivorsSoon(own);
    }
    return withFolder(asResult(outcome, asked, survivors), root, endedIn);
  };
  const start: Commands['start'] = async (command, asked) => {
    const own = `${name}.${++count}`;
    const child = startShell(command, surroundings(own, asked), [asked.input === 'open' ? 'pipe' : 'ignore']);
    return followCommand(child, own, asked).catch((error: unknown) => {
      throw environmentError(error, 'The shell /bin/bash');
    });
  };
  const end = async (): Promise<void> => {
    if (count > 0) await endSurvivorsOfAll(`${name}.`);
    held.close();
    outputs.remove();
  };
  return { run, start, end };
}

type CommandPlace = [workingDir?: string, envVars?: Readonly<Record<string, string>>];

function positional(timeoutMs?: number, ...[workingDir, envVars]: CommandPlace): ExecOptions {
  return {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(workingDir === undefined ? {} : { workingDir }),
    ...(envVars === undefined ? {} : { envVars }),
  };
}

type Surroundings = {
  readonly folder: AnchoredFolder;
  readonly env: Record<string, string>;
  readonly sandbox: LocalEnvironmentOptions['sandbox'];
};

type Command = ExecOptions &
  Surroundings & {
    readonly maxOutputBytes: number | undefined;
    readonly outputs: KeptOutputs;
  };

type Ended = {
  readonly outcome: ChildOutcome;
  readonly group: number | undefined;
  /** Null when it is not known. */
  readonly endedIn: string | null;
};

async function runCommand(command: string, run: Command): Promise<Ended> {
  const watch = run.tellWorkingDir === true ? watchFolder(command) : null;
  try {
    const child = startShell(watch?.command ?? command, run, [run.stdin === undefined ? 'ignore' : 'pipe', watch]);
    const outcome = await superviseChild(child, { ...run, timeoutMs: timeoutOf(run) });
    return { outcome, group: child.pid, endedIn: watch?.said() ?? null };
  } finally {
    watch?.close();
  }
}

/** A bash whose input is a pipe of ours takes itself for one that was started over a network, and would read a person's .bashrc. */
const NO_RC = ['--norc'];

type ShellInput = readonly [input: 'ignore' | 'pipe', watch?: FolderWatch | null];

function startShell(command: string, around: Surroundings, [input, watch = null]: ShellInput): ChildProcess {
  const { folder, env, sandbox } = around;
  try {
    const inside = sandbox?.wrap({ argv: ['/bin/bash', ...NO_RC, '-c', command], cwd: folder.real });
    const child = spawn(inside?.file ?? '/bin/bash', inside?.args ?? [...NO_RC, '-c', command], {
      cwd: folder.at,
      env: { ...env, ...inside?.env },
      stdio: [input, 'pipe', 'pipe', ...furtherDescriptors(watch)],
      detached: true,
    });
    if (inside !== undefined) followInside(child, inside);
    return child;
  } catch (error) {
    throw environmentError(error, 'The command');
  } finally {
    folder.close();
  }
}

function followInside(child: ChildProcess, { terminate, release }: WrappedCommand): void {
  askToEndBy(child, () => terminate(child.pid ?? 0));
  child.once('exit', release);
  child.once('error', release);
}

function furtherDescriptors(watch: FolderWatch | null): ReadonlyArray<'ignore' | number> {
  if (watch === null) return [];
  const { inChild, ours } = watch.descriptor;
  return [...Array.from({ length: inChild - 3 }, () => 'ignore' as const), ours];
}

/** A command that ended outside leaves the next one in the root. */
function withFolder(result: ExecResult, root: string, endedIn: string | null): ExecResult {
  if (endedIn === null) return result;
  if (isInside(root, endedIn)) return { ...result, workingDir: path.relative(root, endedIn) || '.' };
  const note = `[The command ended in ${endedIn}, outside the working directory: the next one starts in ${root} again.]`;
  return { ...result, workingDir: '.', stderr: [result.stderr.trimEnd(), note].filter(Boolean).join('\n') };
}

function timeoutOf({ timeoutMs }: ExecOptions): number {
  return Math.min(timeoutMs ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS);
}

function asResult(outcome: ChildOutcome, asked: ExecOptions, survivors: ReadonlyArray<Survivor>): ExecResult {
  if (outcome.spawnError !== undefined) throw environmentError(outcome.spawnError, 'The shell /bin/bash');
  if (outcome.aborted) throw stopped();
  const notes = [
    ...outcome.kept.map(describeKept),
    outcome.timedOut
      ? `[Command timed out after ${timeoutOf(asked)} ms and was stopped; what it printed so far is kept.]`
      : '',
    outcome.pipeHeld
      ? `[The command left processes running in the background; they were stopped${listed(survivors)}.]`
      : '',
  ].filter(Boolean);
  return {
    stdout: outcome.stdout,
    stderr: notes.length === 0 ? outcome.stderr : [outcome.stderr.trimEnd(), ...notes].filter(Boolean).join('\n'),
    exitCode: outcome.exitCode,
    timedOut: outcome.timedOut,
    durationMs: outcome.durationMs,
    ...(outcome.signal === null ? {} : { signal: outcome.signal }),
  };
}

function listed(survivors: ReadonlyArray<Survivor>): string {
  const shown = survivors.slice(0, MAX_LISTED).map(({ pid, command }) => `${command} (${pid})`);
  const more = survivors.length - shown.length;
  if (shown.length === 0) return '';
  return `: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function stopped(): EnvironmentError {
  return new EnvironmentError({ code: 'aborted', message: 'The command was stopped on request.' });
}

function exists(root: string, asked: string): boolean {
  try {
    return resolveInside(root, asked).stats !== null;
  } catch {
    return false;
  }
}

/** A missing folder is reported by `initialize` and by every operation, not here. */
function canonical(workingDir: string): string {
  const absolute = path.resolve(workingDir);
  return statSync(absolute, { throwIfNoEntry: false }) === undefined ? absolute : realpathSync(absolute);
}

async function abortable<T>(name: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') {
      throw new EnvironmentError({
        code: 'aborted',
        message: `The operation on ${name} was stopped on request.`,
        cause: error,
      });
    }
    throw error;
  }
}
