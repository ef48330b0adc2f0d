import { messageOf } from '@attractor/base';
import type { LlmConfiguration } from '@attractor/llm';
import type { Command } from 'commander';
import { addConcurrencyFlag, chosenConcurrency, type ConcurrencyFlag } from '../concurrency-flag.ts';
import { CommandFailure, EXIT } from '../exit.ts';
import { addModelFlags, chosenModel, type ModelFlags } from '../model-flags.ts';
import { addSandboxFlag, type SandboxFlag, sandboxOptions } from '../sandbox-flag.ts';
import { requireModel } from '../require-model.ts';
import { homeFolder, readSettings } from '../settings.ts';
import { catchStop, stopped } from '../terminal/stop-signal.ts';
import { putText } from '../terminal/put.ts';

type ServeFlags = ModelFlags &
  SandboxFlag &
  ConcurrencyFlag & { readonly host: string; readonly port: string; readonly allowRemote?: boolean };

export function define(command: Command, finish: (exitCode: number) => void): void {
  addConcurrencyFlag(addSandboxFlag(addModelFlags(command)))
    .description('Starts the server, its worker and its web app, and serves until Ctrl-C.')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <n>', 'the port to listen on; 0 takes any free one', '4180')
    .option('--allow-remote', 'let other machines reach it, when --host is not a loopback address')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ServeFlags) => finish(await serve(flags)));
}

const EXAMPLES = `
The first line on stdout is the address; the key behind # signs a browser in once, \`attractor sign-in\` prints another. Programs send the token that is in
the file \`token\` under ATTRACTOR_HOME as a bearer token. Agents and checks run in a sandbox; where there is none, the server
starts only with --allow-unsandboxed.

Examples:
  attractor serve
  attractor serve --port 0
  attractor serve --concurrency 6`;

async function serve(flags: ServeFlags): Promise<number> {
  const home = homeFolder(process.env);
  const settings = readSettings(home);
  const port = Number(flags.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new CommandFailure(`--port must be a number from 0 to 65535, not '${flags.port}'.`, EXIT.usage);
  const concurrency = chosenConcurrency(flags);
  const [{ openServer }, { modelConfiguration }] = await Promise.all([
    import('../working-server.ts'),
    import('../model-configuration.ts'),
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
    ...(flags.allowRemote === true && { allowRemote: true as const }),
  });
  putText(process.stdout, `${server.signInUrl()}\n`);
  warnWithoutModel(llm, home);
  putText(process.stderr, 'Serving until Ctrl-C.\n');
  const stop = catchStop();
  await stopped(stop);
  await server.close();
  return stop.exitCode();
}

/** Two servers of one home would take each other's record and work. */
async function refuseSecond(home: string): Promise<void> {
  const { runningServer } = await import('../connect.ts');
  const other = await runningServer(home);
  if (other === null) return;
  throw new CommandFailure(
    `a server of ${home} runs already, at ${other.url} (process ${other.pid}). \`attractor sign-in\` opens it; stop it first, or set ATTRACTOR_HOME to another folder.`,
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
