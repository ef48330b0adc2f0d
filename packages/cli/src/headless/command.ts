import { defaultModel } from '@attractor/llm';
import type { Command } from 'commander';
import { CommandFailure, EXIT } from '../exit.ts';
import { existingFolder } from '../existing-folder.ts';
import { modelConfiguration } from '../model-configuration.ts';
import { chosenModel } from '../model-flags.ts';
import { requireModel } from '../require-model.ts';
import { homeFolder, readSettingsFile, settingsOf } from '../settings.ts';
import { setupHere } from '../setup-here.ts';
import { readableText } from '../terminal/escape.ts';
import { catchStop, throwIfStopped } from '../terminal/stop-signal.ts';
import { confine, lookForSandbox } from './confine.ts';
import type { Line } from '@attractor/stream-json';
import { addHeadlessFlags, type GivenFlags, type HeadlessFlags } from './flags.ts';
import { startProgress } from './progress.ts';
import { runHeadless } from './headless.ts';
import { permissionsHere } from './permissions.ts';
import { noInput, inputGiven, readUserInputs } from './user-inputs.ts';
import { earlierSession, forgetSession, openSessionPlace, withModelOf } from './session-place.ts';
import { putText } from '../terminal/put.ts';

/** `attractor -p`: the root command without a command name. */
export function define(command: Command, finish: (exitCode: number) => void): void {
  addHeadlessFlags(command)
    .argument('[prompt]')
    .addHelpText('after', EXAMPLES)
    .action(async (prompt: string | undefined, flags: GivenFlags) => {
      if (typeof flags.print === 'string' && prompt !== undefined)
        throw new CommandFailure(
          `two prompts: '${flags.print}' and '${prompt}'. Put one prompt in quotes.`,
          EXIT.usage,
        );
      finish(await headless(typeof flags.print === 'string' ? flags.print : prompt, flags));
    });
}

const EXAMPLES = `
Nobody is asked: what is not allowed beforehand is denied; commands that only read run. The last line of json and stream-json is always the result.
Exit code 0 on success, 1 on an error result, 129, 130 and 143 when hung up, interrupted or terminated.

Examples:
  attractor -p "what does this project do?"
  attractor -p "fix the typo in README.md" --permission-mode acceptEdits --output-format stream-json
  attractor -p "run the tests and explain" --allowed-tools "Bash(npm test),Bash(git log *)"
  attractor -p "and now the tests" --continue
  attractor -p "what is open?" --mcp tracker=node,tracker.js --allowed-tools mcp__tracker`;

/** What to do: a prompt, `undefined` for the contents of stdin, or null to finish a session's open work. */
type Wish = string | undefined | null;

/** One run from flags to exit code. */
export async function headless(prompt: Wish, given: GivenFlags): Promise<number> {
  if (prompt?.trim() === '') throw noInput();
  const stop = catchStop();
  const home = homeFolder(process.env);
  const file = readSettingsFile(home);
  const settings = settingsOf(file);
  const cwd = existingFolder('--cwd', given.cwd ?? process.cwd());
  const setup = await setupHere(file, { home, folder: cwd, env: process.env });
  const { mode, rules } = permissionsHere(given, cwd, setup);
  const earlier = earlierSession({ home, cwd, flags: given });
  const flags: HeadlessFlags = withModelOf(earlier, { ...given, permissionMode: mode });
  const furtherFolders = [...flags.addDir.map((folder) => existingFolder('--add-dir', folder)), ...setup.folders];
  const roots = [cwd, ...furtherFolders];
  const found = lookForSandbox(flags, roots);
  const llm = modelConfiguration({ env: process.env, settings, flags });
  const provider = requireModel(llm, home);
  const model = chosenModel(flags, settings).model ?? defaultModel(provider);
  const sandbox = confine({ flags, found: await found, roots, setup });
  // A session is created, or copied, only if there is something to do; an existing one may have work left, whatever stdin says.
  const isMade = earlier === null || flags.forkSession === true;
  const asked = { prompt, format: flags.inputFormat, stdin: () => process.stdin };
  const source = isMade || asked.format === 'text' ? await inputGiven(asked, stop.signal) : asked;
  throwIfStopped(stop);
  const place = openSessionPlace({ home, cwd, flags, earlier, provider, model });
  setup.unused.forEach(tell);
  const { exitCode, result, failure, isUnused } = await runHeadless({
    flags,
    prompts: (listening) => readUserInputs(source, listening),
    stop,
    llm,
    provider,
    model,
    place,
    cwd,
    furtherFolders,
    sandbox,
    rules,
    setup,
    write: (line) =>
      void (flags.outputFormat === 'stream-json' && putText(process.stdout, `${JSON.stringify(line)}\n`)),
    progress: flags.outputFormat === 'text' ? startProgress(process.stderr, process.env) : null,
    tell,
  });
  if (isUnused && earlier === null) forgetSession(home, place);
  if (result !== null)
    putText(process.stdout, flags.outputFormat === 'text' ? textOf(result) : `${JSON.stringify(result)}\n`);
  if (result !== null && exitCode !== EXIT.done && (flags.outputFormat === 'text' || failure !== null))
    tell(String(result['result']));
  return exitCode;
}

function tell(text: string): void {
  putText(process.stderr, `attractor: ${readableText(text)}\n`);
}

function textOf(result: Line): string {
  return result['is_error'] === true ? '' : `${String(result['result'])}\n`;
}
