import type { Command } from 'commander';
import { answerRequest } from '@attractor/executor';
import { CommandFailure, EXIT, catchStop, readStdin, putText } from '@attractor/console';

/** The program `file-tools`: one request, one line of JSON. */
export function define(command: Command, finish: (exitCode: number) => void): void {
  command
    .description(
      'Runs one file tool in a workspace: file.read, file.write, file.patch, file.delete, file.list or file.search.',
    )
    .argument('<workspace_root>', 'the only folder that can be reached')
    .argument('<request>', 'one JSON object {"tool": name, …arguments}; - reads it from stdin')
    .addHelpText('after', EXAMPLES)
    .action(async (workspaceRoot: string, request: string) => finish(await answer(workspaceRoot, request)));
}

const EXAMPLES = `
Prints one line of JSON: the result, or {"error","message"}. Exit code 0 on success, 1 when the tool failed, 2 when the request is
malformed, 3 when there is no such workspace.

Examples:
  file-tools . '{"tool":"file.read","path":"README.md","limit":20}'
  file-tools . '{"tool":"file.patch","path":"a.ts","patches":[{"find":"a - b","replace":"a + b"}]}'
  file-tools . - < request.json`;

const FAULTS = { request: EXIT.usage, workspace: EXIT.notFound } as const;

async function answer(workspaceRoot: string, request: string): Promise<number> {
  if (workspaceRoot === '') throw new CommandFailure('no workspace is given: expected a folder.', EXIT.usage);
  const text = request === '-' ? await readStdin() : request;
  const stop = catchStop();
  const { output, isError, fault } = await answerRequest({ workspaceRoot, text, signal: stop.signal });
  stop.release();
  putText(process.stdout, `${output}\n`);
  if (stop.signal.aborted) return stop.exitCode();
  if (fault !== undefined) return FAULTS[fault];
  return isError ? EXIT.failed : EXIT.done;
}
