import { requestFromJson, streamLine } from '@attractor/llm/json';
import type { Command } from 'commander';
import { CommandFailure, EXIT, readStdin, catchStop, putText } from '@attractor/console';
import { addModelFlags, chosenModel, type ModelFlags } from '../model-flags.ts';
import { homeFolder, readSettings } from '../settings.ts';
import { quiet } from '../program.ts';

export function define(command: Command, finish: (exitCode: number) => void): void {
  command.description('Talks to a model directly, without an agent.');
  addModelFlags(quiet(command.command('stream')))
    .description('Sends the request on stdin and prints the stream, one JSON object a line.')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ModelFlags) => finish(await stream(flags)));
}

const EXAMPLES = `
The last line is {"type":"response",…} or {"type":"error","class",…} (then the exit code is 1).

Examples:
  echo '{"messages":[{"role":"user","content":"Say hello."}]}' | attractor llm stream --provider anthropic --model claude-sonnet-4-5
  attractor llm stream --provider ollama --model llama3.2 < request.json`;

async function stream(flags: ModelFlags): Promise<number> {
  const settings = readSettings(homeFolder(process.env));
  const read = requestFromJson(await readStdin(), chosenModel(flags, settings));
  if (!read.ok) throw new CommandFailure(`${read.problem}.`, EXIT.usage);
  const [{ createClient }, { modelConfiguration }] = await Promise.all([
    import('@attractor/llm'),
    import('@attractor/headless'),
  ]);
  const client = createClient({ configuration: modelConfiguration({ env: process.env, settings, flags }) });
  const stop = catchStop();
  let failed = true;
  for await (const event of client.stream({ ...read.request, abortSignal: stop.signal })) {
    if (event.kind === 'FINISH') failed = false;
    putText(process.stdout, `${JSON.stringify(streamLine(event))}\n`);
  }
  stop.release();
  await client.close();
  if (stop.signal.aborted) return stop.exitCode();
  return failed ? EXIT.failed : EXIT.done;
}
