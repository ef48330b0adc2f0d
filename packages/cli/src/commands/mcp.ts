import type { Command } from 'commander';
import { openWorkspace, serveFileTools } from '@attractor/executor';
import { CommandFailure, EXIT, catchStop } from '@attractor/console';
import { callOne, listTools } from '../mcp/call.ts';
import { conform } from '../mcp/conformance.ts';
import { login, type LoginFlags } from '../mcp/login.ts';
import { quiet } from '../program.ts';
import { homeFolder } from '../settings.ts';
import { VERSION } from '../version.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  command.description('Speaks the Model Context Protocol.');
  quiet(command.command('serve'))
    .description('Serves the file tools of a folder over stdin and stdout.')
    .argument('<dir>', 'the only folder that can be reached')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string) => finish(await serve(folder)));
  quiet(command.command('tools'))
    .description('Starts a server and prints the tools that it lists.')
    .requiredOption('--stdio <argv>', 'its command line, as a JSON list')
    .addHelpText('after', TOOLS_EXAMPLES)
    .action(async ({ stdio }: { stdio: string }) => finish(await listTools(stdio)));
  quiet(command.command('call'))
    .description('Starts a server, calls one tool and prints the answer.')
    .requiredOption('--stdio <argv>', 'its command line, as a JSON list')
    .argument('<tool>', "by the server's own name")
    .argument('<args>', 'one JSON object')
    .addHelpText('after', CALL_EXAMPLES)
    .action(async (tool: string, args: string, { stdio }: { stdio: string }) =>
      finish(await callOne(stdio, tool, args)),
    );
  quiet(command.command('login'))
    .description('Signs in to a server over HTTP and keeps the tokens for later sessions.')
    .argument('<url>')
    .option('--client-id <id>', 'of a client that is already registered (default: it registers itself)')
    .option('--callback-port <port>', 'where the browser returns to (default: a free port)', Number)
    .addHelpText('after', LOGIN_EXAMPLES)
    .action(async (url: string, flags: LoginFlags) => finish(await login(url, flags, homeFolder(process.env))));
  quiet(command.command('conformance'))
    .description('The client for the official conformance suite: connects, lists the tools, calls the first.')
    .argument('<url>')
    .addHelpText('after', CONFORMANCE_EXAMPLES)
    .action(async (url: string) =>
      finish(
        await conform(url, {
          scenario: process.env['MCP_CONFORMANCE_SCENARIO'] ?? '',
          context: process.env['MCP_CONFORMANCE_CONTEXT'],
        }),
      ),
    );
}

const EXAMPLES = `
Tools: file.read, file.write, file.patch, file.delete, file.list, file.search. It serves until the client closes stdin.

Example (in the configuration of a client):
  { "mcpServers": { "files": { "command": "attractor", "args": ["mcp", "serve", "."] } } }`;

const TOOLS_EXAMPLES = `
Prints {"tools":[…]} of all pages, or {"error":{"code","message"}}; the exit code is 0 exactly when a result came.

Example:
  attractor mcp tools --stdio '["attractor","mcp","serve","."]'`;

const CALL_EXAMPLES = `
Prints the result (content, isError) or {"error":{"code","message"}}; the exit code is 0 exactly when a result came.

Example:
  attractor mcp call --stdio '["attractor","mcp","serve","."]' file.list '{"path":"."}'`;

const LOGIN_EXAMPLES = `
The tokens are kept under ATTRACTOR_HOME, readable only by you, and refreshed when needed.

Example:
  attractor mcp login https://mcp.example.com/mcp`;

const CONFORMANCE_EXAMPLES = `
Example:
  npx conformance client --command "attractor mcp conformance" --scenario tools_call`;

async function serve(folder: string): Promise<number> {
  const opened = await openWorkspace(folder, { denyRead: [homeFolder(process.env)] });
  if ('problem' in opened) throw new CommandFailure(opened.problem, EXIT.notFound);
  const stop = catchStop();
  await serveFileTools(opened.environment, { version: VERSION, signal: stop.signal });
  await opened.environment.cleanup();
  stop.release();
  return stop.exitCode();
}
