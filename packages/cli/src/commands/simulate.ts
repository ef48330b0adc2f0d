import type { Command } from 'commander';
import { messageOf } from '@attractor/base';
import { CommandFailure, EXIT, catchStop, stopped, putText } from '@attractor/console';

export function define(command: Command, finish: (exitCode: number) => void): void {
  command
    .description(
      'Starts a scripted model on loopback that speaks Anthropic Messages, OpenAI Responses, OpenAI Chat Completions and Gemini.',
    )
    .requiredOption('--script <file>', 'the script, YAML or JSON')
    .option('--port <n>', 'a port of 127.0.0.1 (default: any free one)', '0')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: { readonly script: string; readonly port: string }) => finish(await simulate(flags)));
}

const EXAMPLES = `
The first line on stdout is JSON with a base URL for each protocol. It serves until Ctrl-C.

Examples:
  attractor simulate --script hello.yaml
  attractor simulate --script hello.yaml --port 8089`;

async function simulate(flags: { readonly script: string; readonly port: string }): Promise<number> {
  const { loadScript, startSimulator } = await import('@attractor/simulator');
  const port = Number(flags.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new CommandFailure(`--port must be a number from 0 to 65535, not '${flags.port}'.`, EXIT.usage);
  const loaded = loadScript(flags.script);
  if (!loaded.ok)
    throw new CommandFailure(
      loaded.error.message,
      loaded.error.code === 'script_unreadable' ? EXIT.notFound : EXIT.refused,
    );
  const simulator = await startSimulator({ script: loaded.script, port, record: 'none' }).catch((error: unknown) => {
    throw new CommandFailure(portMessage(error, port));
  });
  putText(process.stdout, `${JSON.stringify({ url: simulator.url, ...simulator.baseUrls })}\n`);
  const stop = catchStop();
  await stopped(stop);
  await simulator.close();
  return stop.exitCode();
}

function portMessage(error: unknown, port: number): string {
  const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
  if (inUse) return `port ${port} is in use. Choose another with --port, or leave it out to get a free one.`;
  return `can't listen on port ${port}: ${messageOf(error)}.`;
}
