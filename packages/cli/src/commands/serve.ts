import { messageOf } from '@attractor/base';
import type { LlmConfiguration } from '@attractor/llm';
import type { PlatformWorkflow } from '@attractor/platform';
import type { Command } from 'commander';
import type { LogFormat } from '../worker/server-log.ts';
import { addConcurrencyFlag, chosenConcurrency, type ConcurrencyFlag } from '../concurrency-flag.ts';
import { CommandFailure, EXIT, catchStop, stopped, putText } from '@attractor/console';
import { addModelFlags, chosenModel, type ModelFlags } from '../model-flags.ts';
import { addSandboxFlag, type SandboxFlag, sandboxOptions } from '../sandbox-flag.ts';
import { requireModel } from '../require-model.ts';
import { homeFolder, readSettings } from '../settings.ts';

type ServeFlags = ModelFlags &
  SandboxFlag &
  ConcurrencyFlag & {
    readonly host: string;
    readonly port: string;
    readonly allowRemote?: boolean;
    readonly metrics?: boolean;
    readonly logFormat: string;
    readonly quiet?: boolean;
    readonly untilIdle?: boolean;
  };

export function define(command: Command, finish: (exitCode: number) => void): void {
  addConcurrencyFlag(addSandboxFlag(addModelFlags(command)))
    .description('Starts the server, its worker and its web app, and serves until Ctrl-C.')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <n>', 'the port to listen on; 0 takes any free one', '4180')
    .option('--metrics', 'measure the work and the requests for Prometheus, at /metrics')
    .option(
      '--allow-remote',
      'let other machines reach it, when --host is not a loopback address; needs users (attractor users add)',
    )
    .option('--log-format <format>', 'text or json: how each line of the log on stderr is written', 'text')
    .option('--quiet', 'no log')
    .option('--until-idle', 'end once nothing is left to do or to answer')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ServeFlags) => finish(await serve(flags)));
}

const EXAMPLES = `
The first line on stdout is the address; the key behind # signs a browser in once, \`attractor sign-in\` prints another. Programs send the token in the file
 \`token\` under ATTRACTOR_HOME as a bearer token. Agents and checks run in a sandbox; if there is none, the server
starts only with --allow-unsandboxed.

What happens is reported on stderr, one line each: the time (UTC), the key of the run or task, and the event. \`attractor events list\` shows all
of it, and more; --all --follow keeps following.

Examples:
  attractor serve
  attractor serve --port 0
  attractor serve --concurrency 6
  attractor serve --log-format json 2> server.log`;

async function serve(flags: ServeFlags): Promise<number> {
  const home = homeFolder(process.env);
  const settings = readSettings(home);
  const port = Number(flags.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new CommandFailure(`--port must be a number from 0 to 65535, not '${flags.port}'.`, EXIT.usage);
  const format = formatOf(flags.logFormat);
  const concurrency = chosenConcurrency(flags);
  const [{ openServer }, { modelConfiguration }, { createLiveSessions }] = await Promise.all([
    import('../working-server.ts'),
    import('@attractor/headless'),
    import('@attractor/terminal/live-sessions'),
  ]);
  await refuseSecond(home);
  const sandbox = await sandboxOptions({ flags, attended: false });
  const llm = modelConfiguration({ env: process.env, settings, flags });
  const server = await openServer({
    home,
    env: process.env,
    llm,
    ...chosenModel(flags, settings),
    ...sandbox,
    ...concurrency,
    host: flags.host,
    port,
    announce: true,
    live: createLiveSessions(home, async (folder) =>
      (await import('../converse/open-port.ts')).openPort({ env: process.env, home, folder, flags }),
    ),
    metrics: flags.metrics === true,
    ...(flags.allowRemote === true && { allowRemote: true as const }),
  });
  putText(process.stdout, `${server.signInUrl()}\n`);
  warnWithoutModel(llm, home);
  for (const problem of await server.problems()) say(problem);
  const stop = catchStop();
  const endLog = flags.quiet === true ? null : await startLog(server.workflow, format);
  await Promise.race([stopped(stop), ...(flags.untilIdle === true ? [idle(server.workflow, stop.signal)] : [])]);
  await endLog?.();
  await server.close();
  return stop.exitCode();
}

async function idle(workflow: PlatformWorkflow, signal: AbortSignal): Promise<void> {
  await (await import('@attractor/server')).nothingLeftToServe(workflow, signal);
}

function formatOf(given: string): LogFormat {
  if (given === 'text' || given === 'json') return given;
  throw new CommandFailure(`--log-format must be text or json, not '${given}'.`, EXIT.usage);
}

async function startLog(workflow: PlatformWorkflow, format: LogFormat): Promise<() => Promise<void>> {
  const { logWork } = await import('../worker/server-log.ts');
  if (format === 'text') say('Serving until Ctrl-C. Events are reported here, unless --quiet is given.');
  return logWork(workflow, { format, after: await workflow.lastSeq(), write: say });
}

function say(line: string): void {
  putText(process.stderr, `${line}\n`);
}

/** Two servers of one home would take each other's record and work. */
async function refuseSecond(home: string): Promise<void> {
  const { runningServer } = await import('../connect.ts');
  const other = await runningServer(home);
  if (other === null) return;
  throw new CommandFailure(
    `a server of ${home} is already running, at ${other.url} (process ${other.pid}). \`attractor sign-in\` opens it; stop it first, or set ATTRACTOR_HOME to another folder.`,
    EXIT.refused,
  );
}

/** Agents of the person's own may need no model; the built-in one does. */
function warnWithoutModel(llm: LlmConfiguration, home: string): void {
  try {
    requireModel(llm, home);
  } catch (error) {
    putText(process.stderr, `Tasks for the built-in agent will fail: ${messageOf(error)}\n`);
  }
}
