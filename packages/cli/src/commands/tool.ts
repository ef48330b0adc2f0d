import { toolsAlone } from '@attractor/agent';
import type { Command } from 'commander';
import { EXIT, readStdin, catchStop, putText } from '@attractor/console';
import { homeFolder } from '../settings.ts';
import { runTool } from '../tool/run-tool.ts';
import { parseToolConfig } from '../tool/tool-config.ts';
import { toolsOfProfile } from '../tool/tools-of-profile.ts';

type ToolFlags = {
  readonly cwd: string;
  readonly profile?: string;
  readonly config?: string;
};

export function define(command: Command, finish: (exitCode: number) => void): void {
  command
    .description('Runs one tool of the agent on a folder, without asking. Arguments are one JSON object on stdin.')
    .argument(
      '<name>',
      `${oneOf(toolsAlone().map(({ definition }) => definition.name))}; or a profile's name for one of them`,
    )
    .requiredOption('--cwd <dir>', 'the folder to work in; paths outside it are refused')
    .option('--profile <name>', 'the tools as the models of this profile see them')
    .option('--config <json>', 'session settings: toolOutputLimits, toolLineLimits, defaultCommandTimeout')
    .option('--confine', 'refuse paths outside the folder (always on)', true)
    .addHelpText('after', EXAMPLES)
    .action(async (name: string, flags: ToolFlags) => finish(await tool(name, flags)));
}

function oneOf(names: ReadonlyArray<string>): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1) ?? ''}`;
}

const EXAMPLES = `
Prints one line {"output","is_error","full_output"?}; the exit code is 0 exactly when is_error is false.

Examples:
  echo '{"file_path":"src/a.ts","limit":20}' | attractor tool read_file --cwd .
  echo '{"command":"npm test","timeout_ms":60000}' | attractor tool shell --cwd .
  echo '{"url":"https://example.com"}' | attractor tool WebFetch --cwd .
  echo '{"pattern":"^import"}' | attractor tool grep --cwd . --config '{"toolLineLimits":{"grep":20}}'`;

async function tool(name: string, flags: ToolFlags): Promise<number> {
  const config = parseToolConfig(flags.config);
  const tools = toolsOfProfile(flags.profile);
  const input = await readStdin();
  const stop = catchStop();
  const answer = await runTool({
    name,
    input,
    folder: flags.cwd,
    home: homeFolder(process.env),
    tools,
    config,
    signal: stop.signal,
  });
  stop.release();
  putText(process.stdout, `${JSON.stringify(answer)}\n`);
  if (stop.signal.aborted) return stop.exitCode();
  return answer.is_error ? EXIT.failed : EXIT.done;
}
