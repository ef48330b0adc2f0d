import type { Command } from 'commander';
import { openWorkspace, serveFileTools } from '@attractor/executor';
import { CommandFailure, EXIT } from '../exit.ts';
import { quiet } from '../program.ts';
import { catchStop } from '../terminal/stop-signal.ts';
import { VERSION } from '../version.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  command.description('Speaks the Model Context Protocol.');
  quiet(command.command('serve'))
    .description('Serves the file tools of a folder over stdin and stdout.')
    .argument('<dir>', 'the folder that nothing leads out of')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string) => finish(await serve(folder)));
}

const EXAMPLES = `
Tools: file.read, file.write, file.patch, file.delete, file.list, file.search. It serves until the client closes stdin.

Example (in the configuration of a client):
  { "mcpServers": { "files": { "command": "attractor", "args": ["mcp", "serve", "."] } } }`;

async function serve(folder: string): Promise<number> {
  const opened = await openWorkspace(folder);
  if ('problem' in opened) throw new CommandFailure(opened.problem, EXIT.notFound);
  const stop = catchStop();
  await serveFileTools(opened.environment, { version: VERSION, signal: stop.signal });
  await opened.environment.cleanup();
  stop.release();
  return stop.exitCode();
}
