import { accessSync, constants, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { defined, type Result } from '@attractor/base';
import { createRedactor, secretValues } from '@attractor/redact';
import { createSandbox, type SandboxFound } from '@attractor/confine';
import type { ExecutionEnvironment } from '@attractor/agent';
import { openSessions } from '@attractor/journal';
import {
  createBinaryFileTools,
  execute,
  type ExecutorErrorCode,
  type FileTools,
  loadSpec,
  openWorkspace,
  parseParameters,
  readSessionFile,
} from '@attractor/executor';
import { CommandFailure, EXIT, type ExitCode, catchStop, throwIfStopped } from '@attractor/console';
import { createApiTime } from '@attractor/stream-json';
import type { OutputFormat } from '@attractor/headless';
import { requireSandbox } from '../sandbox-flag.ts';
import { homeFolder, readSettingsFile, settingsOf } from '../settings.ts';
import { setupHere } from '../setup-here.ts';
import { chooseProvider } from './choose-provider.ts';
import { mayUse } from './may-use.ts';
import { createOutput } from './output.ts';
import { readParameters } from './read-parameters.ts';
import { timedProvider } from './timed-provider.ts';
import type { ExecFlags } from './exec-flags.ts';

export type ExecInput = {
  readonly spec: string;
  readonly workspace: string;
  readonly sessionId: string | undefined;
  readonly flags: ExecFlags;
};

/** `attractor exec`: from the command line to the agent's last text. */
export async function runExec(input: ExecInput): Promise<number> {
  const { flags } = input;
  const stop = catchStop();
  const env = process.env;
  const home = homeFolder(env);
  const file = readSettingsFile(home);
  const settings = settingsOf(file);
  const spec = must(loadSpec(input.spec, { cwd: process.cwd(), home }), { not_found: EXIT.notFound });
  const workspace = await workspaceOf(input.workspace);
  const sessions = openSessions({ home });
  const sessionId = input.sessionId ?? (flags.continue === true ? await remembered(workspace) : undefined);
  const known = sessionId === undefined ? null : sessions.find(sessionId);
  const owner = known?.ok === true ? known.value.provider : null;
  const chosen = await chooseProvider({ env, home, settings, flags, spec, owner });
  const said = await readParameters(stop.signal);
  throwIfStopped(stop);
  const parameters = must(parseParameters(said), { invalid_parameters: EXIT.usage });
  const environment = await underLimits(workspace, { home, found: await requireSandbox({ flags, attended: false }) });
  const unused = spec.ignored.length === 0 ? [] : [`not used here: ${spec.ignored.join(', ')}`];
  const before = known?.ok === true ? known.value.cwd : '';
  const cwd = environment.workingDirectory();
  const moved = before === '' || before === cwd ? [] : [`the session worked in ${before} before`];
  const setup = await setupHere(file, { home, folder: cwd, env });
  const canUse = mayUse(spec, cwd, setup);
  const apiTime = createApiTime();
  const notes = [...chosen.notes, ...setup.unused, ...unused, ...moved];
  const output = createOutput({ format: formatOf(flags), cwd, notes, apiMs: apiTime.ms });
  const outcome = await execute({
    spec,
    environment,
    provider: timedProvider(chosen.provider, apiTime),
    sessions,
    parameters,
    signal: stop.signal,
    onEvent: output.event,
    redactor: createRedactor({ secrets: secretValues(env) }),
    canUse,
    ...defined({ sessionId }),
    ...(flags.tools === 'binary' ? { tools: binaryTools(environment) } : {}),
    ...defined({ maxTurns: flags.maxTurns }),
  });
  await environment.cleanup();
  stop.release();
  output.end(outcome);
  if (stop.signal.aborted) return stop.exitCode();
  return outcome.ok ? EXIT.done : EXITS[outcome.error.code];
}

function formatOf({ outputFormat, json }: ExecFlags): OutputFormat {
  return outputFormat ?? (json === true ? 'stream-json' : 'text');
}

const EXITS: Readonly<Record<ExecutorErrorCode, ExitCode>> = {
  AuthenticationError: EXIT.unauthorised,
  RateLimitError: EXIT.failed,
  NetworkError: EXIT.failed,
  InvalidResponseError: EXIT.failed,
  session_not_found: EXIT.notFound,
  session_locked: EXIT.refused,
  session_of_other_provider: EXIT.refused,
  workspace: EXIT.refused,
  journal: EXIT.database,
  max_turns: EXIT.failed,
  interrupted: EXIT.interrupted,
};

type Outcome<Value> = Result<Value, { readonly code: string; readonly message: string }>;

/** The value, or the end of the command; a code that is not in the table is refused. */
function must<Value>(outcome: Outcome<Value>, exits: Readonly<Record<string, ExitCode>>): Value {
  if (outcome.ok) return outcome.value;
  throw new CommandFailure(outcome.error.message, exits[outcome.error.code] ?? EXIT.refused);
}

async function workspaceOf(asked: string): Promise<ExecutionEnvironment> {
  const folder = resolve(asked);
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined)
    throw new CommandFailure(
      `there is no workspace ${folder}: make the folder first, for example with mkdir.`,
      EXIT.notFound,
    );
  if (!stats.isDirectory()) throw new CommandFailure(`the workspace ${folder} is not a folder.`, EXIT.refused);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new CommandFailure(`the workspace ${folder} may not be written: choose one that you own.`, EXIT.refused);
  }
  const opened = await openWorkspace(folder);
  if ('problem' in opened) throw new CommandFailure(opened.problem, EXIT.refused);
  return opened.environment;
}

/** No command is started here, but tools refuse what a command could not read: keys in the home folder, and our own. */
async function underLimits(
  workspace: ExecutionEnvironment,
  { home, found }: { readonly home: string; readonly found: SandboxFound | null },
): Promise<ExecutionEnvironment> {
  if (found === null || !found.available) return workspace;
  const folder = workspace.workingDirectory();
  if (folder === '/')
    throw new CommandFailure(
      "The root of the file system can't be the workspace: give a folder below it.",
      EXIT.refused,
    );
  const sandbox = createSandbox({ bubblewrap: found, roots: [folder], denyRead: [home] });
  const opened = await openWorkspace(folder, { sandbox });
  if ('problem' in opened) throw new CommandFailure(opened.problem, EXIT.refused);
  return opened.environment;
}

async function remembered(environment: ExecutionEnvironment): Promise<string> {
  const id = await readSessionFile(environment);
  if (id !== null) return id;
  const file = join(environment.workingDirectory(), '.session');
  throw new CommandFailure(`there is no session to continue: ${file} is missing. Leave out --continue.`, EXIT.notFound);
}

/** The program beside this one: the same bundle under its other name. */
function binaryTools(environment: ExecutionEnvironment): FileTools {
  return createBinaryFileTools({
    command: [process.execPath, process.argv[1] ?? '', 'file-tools'],
    workspaceRoot: environment.workingDirectory(),
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
  });
}
