import { spawn } from 'node:child_process';
import path from 'node:path';
import { messageOf } from '@attractor/base';
import {
  askToEndBy,
  type ChildOutcome,
  COMMAND_MARK,
  endSurvivors,
  markOf,
  signalGroup,
  superviseChild,
  type OutputReport,
  type Variables,
} from '@attractor/system';
import { newId } from '@attractor/base/id';
import { programFiles, type Sandbox, untilItBegins } from '@attractor/confine';
import { EnvironmentError, type ExecutionEnvironment } from '../types/index.ts';
import type { CommandHandler, HandlerEnd } from '@attractor/settings';

/** Where the programs of hooks run: `environment` has the shell, `sandbox` confines what is started without one. */
export type CommandPlace = {
  readonly environment: ExecutionEnvironment;
  readonly sandbox: Pick<Sandbox, 'wrap'> | undefined;
  /** Variables of the host. */
  readonly hostVariables: Variables;
  /** What a program sees of the environment. */
  readonly variables: Readonly<Record<string, string>>;
};

export type CommandRun = {
  readonly stdin: string;
  readonly envVars: Readonly<Record<string, string>>;
  readonly workingDir: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onOutput?: OutputReport;
};

const MAX_OUTPUT_BYTES = 1 << 20;

/** Runs a hook's command to its end, with the input on stdin, leaving nothing running. Never rejects. */
export function runCommand(handler: CommandHandler, run: CommandRun, place: CommandPlace): Promise<HandlerEnd> {
  return handler.args === undefined ? runLine(handler.command, run, place) : runProgram(handler, run, place);
}

/** Uses the environment's own shell, so its rules on variables, process groups and leftovers apply here too. */
async function runLine(command: string, run: CommandRun, { environment }: CommandPlace): Promise<HandlerEnd> {
  const started = performance.now();
  try {
    const { exitCode, stdout, stderr, timedOut, durationMs } = await environment.execCommand(command, { ...run });
    return timedOut
      ? { kind: 'timeout', timeoutMs: run.timeoutMs, durationMs }
      : { kind: 'exit', exitCode, stdout, stderr, durationMs };
  } catch (error) {
    const durationMs = Math.round(performance.now() - started);
    if (run.signal.aborted) return { kind: 'cancelled', durationMs };
    const message = error instanceof EnvironmentError || error instanceof Error ? error.message : String(error);
    return { kind: 'error', message: `It could not be run: ${message}`, durationMs };
  }
}

async function runProgram(handler: CommandHandler, run: CommandRun, place: CommandPlace): Promise<HandlerEnd> {
  return (await untilItBegins(() => tryProgram(handler, run, place))).end;
}

type Tried = { readonly end: HandlerEnd; readonly neverBegan: boolean };

async function tryProgram(handler: CommandHandler, run: CommandRun, place: CommandPlace): Promise<Tried> {
  const mark = newId('hook');
  const started = startProgram(handler, run, { place, mark });
  if (started.child === null)
    return { end: { kind: 'error', message: started.message, durationMs: 0 }, neverBegan: false };
  const { child, hasBegun, release } = started;
  const { stdin, timeoutMs, signal, onOutput } = run;
  const limits = { timeoutMs, maxOutputBytes: MAX_OUTPUT_BYTES };
  const outcome = await superviseChild(child, { ...limits, stdin, signal, onOutput });
  const neverBegan = outcome.exitCode === 1 && !outcome.aborted && !hasBegun();
  release();
  signalGroup(child.pid, 'SIGKILL');
  if (outcome.timedOut || outcome.aborted || outcome.pipeHeld) await endSurvivors(mark);
  return { end: endOf(outcome, run), neverBegan };
}

type Started =
  | {
      readonly child: ReturnType<typeof spawn>;
      readonly hasBegun: () => boolean;
      readonly release: () => void;
    }
  | { readonly child: null; readonly message: string };

type Start = { readonly place: CommandPlace; readonly mark: string };

function startProgram({ command, args = [] }: CommandHandler, run: CommandRun, { place, mark }: Start): Started {
  const { environment, sandbox, hostVariables, variables } = place;
  const cwd = path.resolve(environment.workingDirectory(), run.workingDir);
  try {
    const inside = sandbox?.wrap({ argv: [command, ...args], cwd, readable: programFiles([command, ...args]) });
    const child = spawn(inside?.file ?? command, inside?.args ?? args, {
      cwd,
      env: {
        ...variables,
        ...run.envVars,
        ...inside?.env,
        [COMMAND_MARK]: markOf(mark, hostVariables[COMMAND_MARK]),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    if (inside !== undefined) askToEndBy(child, () => inside.terminate(child.pid ?? 0));
    return { child, hasBegun: () => inside?.hasBegun() ?? true, release: () => inside?.release() };
  } catch (error) {
    return {
      child: null,
      message: `It could not be started: ${messageOf(error)}`,
    };
  }
}

function endOf(outcome: ChildOutcome, { timeoutMs }: CommandRun): HandlerEnd {
  const { exitCode, stdout, stderr, durationMs, timedOut, aborted, spawnError } = outcome;
  if (spawnError !== undefined)
    return { kind: 'error', message: `It could not be started: ${spawnError.message}`, durationMs };
  if (aborted) return { kind: 'cancelled', durationMs };
  return timedOut ? { kind: 'timeout', timeoutMs, durationMs } : { kind: 'exit', exitCode, stdout, stderr, durationMs };
}
