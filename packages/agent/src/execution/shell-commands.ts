import path from 'node:path';
import { defined, once } from '@attractor/base';
import { EnvironmentError } from '../types/index.ts';
import type {
  CommandEnd,
  EnvVarPolicy,
  ExecOptions,
  ExecResult,
  ExecutionEnvironment,
  RunningCommand,
  StartOptions,
} from '../types/index.ts';
import { isInside, type Sandbox, untilItBegins, type WrappedCommand } from '@attractor/confine';
import type { IsExcluded } from '@attractor/policy';
import { newId } from '@attractor/base/id';
import { folderFor, holdRoot } from './command-folder.ts';
import {
  type ChildOutcome,
  childVariables,
  COMMAND_MARK,
  describeKept,
  endSurvivors,
  endSurvivorsOfAll,
  endSurvivorsSoon,
  environmentError,
  type KeptOutputs,
  markOf,
  signalGroup,
  signalOf,
  superviseChild,
  type SupervisedChild,
  type Survivor,
  type Variables,
  withOwn,
} from '@attractor/system';
import { watchFolder } from './final-folder.ts';
import { explainedAtEnd } from './explained-at-end.ts';
import { followCommand } from './running-command.ts';
import { startShell, type Surroundings } from './shell.ts';
import { createStandingShells } from './standing-shell.ts';

const DEFAULT_TIMEOUT_MS = 10_000;
const MAX_TIMEOUT_MS = 600_000;
const MAX_LISTED = 5;

export type ShellCommandsPlace = {
  readonly root: string;
  readonly outputs: KeptOutputs;
  /** The variables that children may inherit. */
  readonly host: Variables;
  readonly policy: EnvVarPolicy;
  /** Null: by host and policy. */
  readonly variables: (() => Readonly<Record<string, string>>) | null;
  readonly maxOutputBytes: number | undefined;
  readonly sandbox: Pick<Sandbox, 'wrap' | 'prepare' | 'refused'> | undefined;
  readonly isExcluded: IsExcluded | undefined;
  /** All folders of the session. */
  readonly folders: ReadonlyArray<string>;
};

export type ShellCommands = {
  readonly run: ExecutionEnvironment['execCommand'];
  readonly start: NonNullable<ExecutionEnvironment['startCommand']>;
  readonly end: () => Promise<void>;
};

/** Runs the commands of one environment: each in its own process group, without stdin unless it is given, leaving nothing running. */
export function createShellCommands(place: ShellCommandsPlace): ShellCommands {
  const { root, outputs, host, maxOutputBytes } = place;
  const name = newId('env');
  let count = 0;
  const held = holdRoot(root);
  const variables = once(() => place.variables?.() ?? childVariables(place.policy, host));
  const mark = (own: string): string => markOf(own, host[COMMAND_MARK]);
  const standing = once(() =>
    createStandingShells({ ...variables(), [COMMAND_MARK]: mark(`${name}.0`) }, place.sandbox?.prepare),
  );
  const surroundings = (own: string, asked: ExecOptions | StartOptions): Surroundings => ({
    folder: asked.workingDir === undefined ? held.folder() : folderFor(root, asked.workingDir),
    env: withOwn(variables(), { ...asked.envVars, [COMMAND_MARK]: mark(own) }),
    sandbox: place.sandbox,
    standing: null,
  });
  const run = async (command: string, first?: number | ExecOptions, ...at: CommandPlace): Promise<ExecResult> => {
    const asked = typeof first === 'object' ? first : positional(first, ...at);
    if (asked.signal?.aborted === true) throw stopped();
    const own = `${name}.${++count}`;
    const outside = await isOutside(place, command, asked);
    const isPlain = asked.envVars === undefined && asked.stdin === undefined && !outside;
    const cwd = path.resolve(root, asked.workingDir ?? '.');
    const { sandbox, explained } = explaining(outside ? undefined : place.sandbox, cwd);
    const { outcome, group, endedIn } = await untilItBegins(() =>
      runCommand(command, {
        ...asked,
        ...surroundings(own, asked),
        sandbox,
        maxOutputBytes,
        outputs,
        standing: isPlain ? standing() : null,
      }),
    );
    const survivors = await endLeftovers(outcome, group, own);
    const refused = (await place.sandbox?.refused()) ?? [];
    const result = asResult(outcome, asked, survivors);
    return withFolder(withNotes(result, [...explained(result), ...refused]), place, endedIn);
  };
  const start: ShellCommands['start'] = async (command, asked) => {
    const own = `${name}.${++count}`;
    const cwd = path.resolve(root, asked.workingDir ?? '.');
    const outside = await isOutside(place, command, asked);
    const { sandbox, explained } = explaining(outside ? undefined : place.sandbox, cwd);
    const { child } = startShell(command, { ...surroundings(own, asked), sandbox }, [
      asked.input === 'open' ? 'pipe' : 'ignore',
    ]);
    return followExplained(child, { own, asked, explained, sandbox: place.sandbox });
  };
  const end = async (): Promise<void> => {
    if (count > 0) {
      standing().close();
      await endSurvivorsOfAll(`${name}.`);
    }
    held.close();
    outputs.remove();
  };
  return { run, start, end };
}

type Followed = Pick<Explaining, 'explained'> &
  Pick<ShellCommandsPlace, 'sandbox'> & { readonly own: string; readonly asked: StartOptions };

async function followExplained(
  child: SupervisedChild,
  { own, asked, explained, sandbox }: Followed,
): Promise<RunningCommand> {
  const explain = async (said: FailedCommand): Promise<ReadonlyArray<string>> => [
    ...explained(said),
    ...((await sandbox?.refused()) ?? []),
  ];
  const running = await followCommand(child, own, explainedAtEnd(asked, explain)).catch((error: unknown) => {
    throw environmentError(error, 'The shell /bin/bash');
  });
  return sandbox === undefined ? running : { ...running, explain };
}

/** Nobody waits for what is left of a command that ended by itself. */
async function endLeftovers(
  { pipeHeld, timedOut, aborted }: ChildOutcome,
  group: number | undefined,
  own: string,
): Promise<ReadonlyArray<Survivor>> {
  if (pipeHeld || timedOut || aborted) {
    const survivors = await endSurvivors(own);
    signalGroup(group, 'SIGKILL');
    return survivors;
  }
  setImmediate(signalGroup, group, 'SIGKILL');
  endSurvivorsSoon(own);
  return [];
}

/** Whether a person excluded it from the sandbox, and whoever starts it had it judged by that. */
async function isOutside(
  { root, sandbox, isExcluded }: ShellCommandsPlace,
  command: string,
  { mayLeaveSandbox, workingDir = '.' }: Pick<ExecOptions, 'mayLeaveSandbox' | 'workingDir'>,
): Promise<boolean> {
  if (mayLeaveSandbox !== true || sandbox === undefined || isExcluded === undefined) return false;
  return isExcluded(command, path.resolve(root, workingDir));
}

type FailedCommand = CommandEnd & Pick<ExecResult, 'stdout' | 'stderr'>;

type Explaining = Pick<Surroundings, 'sandbox'> & {
  /** What the sandbox kept the command from, if it did. */
  readonly explained: (said: FailedCommand) => ReadonlyArray<string>;
};

function explaining(sandbox: ShellCommandsPlace['sandbox'], cwd: string): Explaining {
  if (sandbox === undefined) return { sandbox, explained: () => [] };
  let inside: WrappedCommand | undefined;
  return {
    sandbox: { wrap: (command) => (inside = sandbox.wrap(command)) },
    explained: (result) => inside?.explain({ ...result, cwd }) ?? [],
  };
}

type CommandPlace = [workingDir?: string, envVars?: Readonly<Record<string, string>>];

function positional(timeoutMs?: number, ...[workingDir, envVars]: CommandPlace): ExecOptions {
  return {
    ...defined({ timeoutMs, workingDir, envVars }),
  };
}

type Command = ExecOptions &
  Surroundings & {
    readonly maxOutputBytes: number | undefined;
    readonly outputs: KeptOutputs;
  };

type Ended = {
  readonly outcome: ChildOutcome;
  readonly group: number | undefined;
  /** Null if unknown. */
  readonly endedIn: string | null;
  readonly neverBegan: boolean;
};

async function runCommand(command: string, run: Command): Promise<Ended> {
  const watch = run.tellWorkingDir === true ? watchFolder(command) : null;
  try {
    const input = run.stdin === undefined ? 'ignore' : 'pipe';
    const startedAt = performance.now();
    const { child, neverBegan } = startShell(watch?.command ?? command, run, [input, watch]);
    const outcome = await superviseChild(child, { ...run, startedAt, timeoutMs: timeoutOf(run) });
    return { outcome, group: child.pid, endedIn: watch?.said() ?? null, neverBegan: neverBegan() && !outcome.aborted };
  } finally {
    watch?.close();
  }
}

/** If a command ends outside the session's folders, the next one starts in the root. */
function withFolder(result: ExecResult, { root, folders }: ShellCommandsPlace, endedIn: string | null): ExecResult {
  if (endedIn === null) return result;
  if (isInside(root, endedIn)) return { ...result, workingDir: path.relative(root, endedIn) || '.' };
  if (folders.some((folder) => isInside(folder, endedIn))) return { ...result, workingDir: endedIn };
  const note = `[The command ended in ${endedIn}, outside the working directory: the next one starts in ${root} again.]`;
  return { ...result, workingDir: '.', stderr: [result.stderr.trimEnd(), note].filter(Boolean).join('\n') };
}

/** What the sandbox kept the command from, and did with files that it made. */
function withNotes(result: ExecResult, notes: ReadonlyArray<string>): ExecResult {
  if (notes.length === 0) return result;
  const shown = [
    ...notes.slice(0, MAX_LISTED),
    ...(notes.length > MAX_LISTED ? [`[And ${notes.length - MAX_LISTED} more.]`] : []),
  ];
  return { ...result, stderr: [result.stderr.trimEnd(), ...shown].filter(Boolean).join('\n') };
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
    ...signalled(outcome),
  };
}

function signalled({ signal, exitCode }: ChildOutcome): Pick<ExecResult, 'signal'> {
  const name = signal ?? signalOf(exitCode);
  return defined({ signal: name });
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
