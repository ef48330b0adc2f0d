import type { AcpHost } from '@attractor/acp';
import { done, failed, type Result } from '@attractor/base';
import type { Command } from 'commander';
import type { ConverseFlags } from '../converse/converse-flags.ts';
import { CommandFailure, EXIT, putText, catchStop, stopped } from '@attractor/console';
import { addModelFlags } from '../model-flags.ts';
import { homeFolder } from '../settings.ts';
import { VERSION } from '../version.ts';

type AcpFlags = Pick<ConverseFlags, 'permissionMode' | 'allowUnsandboxed' | 'provider' | 'model' | 'baseUrl'>;

/** The agent inside an editor. */
export function define(command: Command, finish: (exitCode: number) => void): void {
  addModelFlags(command.description('Serves our agent to an editor over stdin and stdout (Agent Client Protocol).'))
    .option('--permission-mode <mode>', 'what may run without asking at the start: default, acceptEdits, plan')
    .option('--allow-unsandboxed', "let commands run without a sandbox, in the editor's terminals if it has some")
    .addHelpText('after', EXAMPLES)
    .action(async (flags: AcpFlags) => finish(await serve(flags)));
}

const EXAMPLES = `
An editor starts it, one for each window; it works in the folder that the editor names, and ends with its input.

Zed, in settings.json:
  { "agent_servers": { "Attractor": { "command": "attractor", "args": ["acp"], "env": {} } } }
JetBrains, in ~/.jetbrains/acp.json:
  { "agent_servers": { "Attractor": { "command": "attractor", "args": ["acp"] } } }
Neovim (codecompanion.nvim, avante.nvim): docs/editors.md`;

async function serve(flags: AcpFlags): Promise<number> {
  const stop = catchStop();
  const { serveAcp } = await import('@attractor/acp');
  const gone = new Promise<void>((resolve) => void process.stdin.once('end', resolve).once('close', resolve));
  await serveAcp(await hostOf(flags), {
    write: (text) => void putText(process.stdout, text),
    onBytes: (take) => void process.stdin.on('data', take),
    ended: Promise.race([gone, stopped(stop)]),
  });
  process.stdin.destroy();
  stop.release();
  return stop.exitCode();
}

async function hostOf(flags: AcpFlags): Promise<AcpHost> {
  const { env } = process;
  const home = homeFolder(env);
  const { checkModel, openPort } = await import('../converse/open-port.ts');
  const { openSessions } = await import('@attractor/journal');
  return {
    version: VERSION,
    sessions: openSessions({ home }),
    howToLogIn: `Set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY for the editor, or put a key in ${home}/config.json under "providers".`,
    checkLogin: () => caught(() => void checkModel({ env, home, flags })),
    agentIn: (folder, furtherFolders) => caughtLater(openPort({ env, home, folder, furtherFolders, flags })),
  };
}

function caught(work: () => void): Result<null> {
  try {
    work();
    return done(null);
  } catch (error) {
    return refusal(error);
  }
}

async function caughtLater<Value>(work: Promise<Value>): Promise<Result<Value>> {
  try {
    return done(await work);
  } catch (error) {
    return refusal(error);
  }
}

/** Anything else is a bug, and ends in the editor as one. */
function refusal(error: unknown): Result<never> {
  if (!(error instanceof CommandFailure)) throw error;
  const code = error.exitCode === EXIT.unauthorised ? 'unauthorised' : 'refused';
  return failed({ code, message: error.message, retryable: false });
}
