import { isRecord } from '@attractor/base';
import { type CallSignature, detectLoop, truncateToolOutput } from '@attractor/agent';
import type { Command } from 'commander';
import { CommandFailure, EXIT, readStdin, putText } from '@attractor/console';
import { parseToolConfig } from '../tool/tool-config.ts';
import { quiet } from '../program.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  command.description('Tries the rules of the agent on given input.').addHelpText('after', EXAMPLES);
  part(command, 'truncate')
    .description('Shortens the text on stdin as a model would see it.')
    .requiredOption('--tool <name>', 'the tool whose limits apply')
    .option('--config <json>', 'session settings: toolOutputLimits, toolLineLimits')
    .action(async (flags: TruncateFlags) => finish(await truncate(flags)));
  part(command, 'loop')
    .description('Says whether the calls on stdin repeat themselves.')
    .requiredOption('--window <n>', 'how many of the last calls count; 0 switches detection off')
    .action(async (flags: { readonly window: string }) => finish(await loop(flags.window)));
}

const EXAMPLES = `
Examples:
  npm test | attractor debug truncate --tool shell --config '{"toolLineLimits":{"shell":40}}'
  echo '[{"name":"shell","args":{"command":"ls"}}]' | attractor debug loop --window 10`;

type TruncateFlags = { readonly tool: string; readonly config?: string };

function part(command: Command, name: string): Command {
  return quiet(command.command(name));
}

async function truncate(flags: TruncateFlags): Promise<number> {
  const config = parseToolConfig(flags.config);
  putText(process.stdout, truncateToolOutput(await readStdin(), flags.tool, config));
  return EXIT.done;
}

async function loop(given: string): Promise<number> {
  const window = Number(given);
  if (given.trim() === '' || !Number.isSafeInteger(window) || window < 0) {
    throw new CommandFailure(`--window must be a whole number from 0 up, not '${given}'.`, EXIT.usage);
  }
  const calls = parseCalls(await readStdin());
  putText(process.stdout, `${JSON.stringify({ loop: detectLoop(calls, window) })}\n`);
  return EXIT.done;
}

function parseCalls(text: string): ReadonlyArray<CallSignature> {
  const value = parse(text);
  if (!Array.isArray(value)) throw notCalls();
  return value.map((call: unknown) => {
    if (!isRecord(call) || typeof call['name'] !== 'string') throw notCalls();
    return { toolName: call['name'], args: isRecord(call['args']) ? call['args'] : {} };
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notCalls();
  }
}

function notCalls(): CommandFailure {
  return new CommandFailure('stdin must be a JSON array of {"name","args"}.', EXIT.usage);
}
