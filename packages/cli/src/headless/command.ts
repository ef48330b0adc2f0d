import { defined } from '@attractor/base';
import {
  listenToPipe,
  modelConfiguration,
  modelNotes,
  refusedVariable,
  runHeadless,
  wishProblem,
} from '@attractor/headless';
import { configuredElsewhere, narrowSetup, type SessionSetup } from '@attractor/settings';
import type { Command } from 'commander';
import { CommandFailure, EXIT, unwrap, readableText, catchStop, throwIfStopped, putText } from '@attractor/console';
import { existingFolder } from '../existing-folder.ts';
import { modelFor } from '@attractor/llm';
import { requireModel } from '../require-model.ts';
import { homeFolder, readSettingsFile, settingsOf, type SettingsFile } from '../settings.ts';
import { setupHere } from '../setup-here.ts';
import { confine, lookForSandbox } from './confine.ts';
import { exitCodeOf } from './exit-code.ts';
import { addHeadlessFlags, type GivenFlags, type HeadlessFlags } from './flags.ts';
import { type AliasFlags, foldFlags } from './fold-flags.ts';
import { inputAmongRules } from './input-among-rules.ts';
import { createOutput } from './output.ts';
import { startProgress } from './progress.ts';
import { permissionsHere } from './permissions.ts';
import { runInput } from './run-input.ts';
import { earlierSession, openSessionPlaces, withModelOf } from './session-place.ts';
import { mirrorAt } from './transcripts.ts';
import { VERSION } from '../version.ts';

/** `attractor -p`: the root command without a command name. */
export function define(command: Command, finish: (exitCode: number) => void): void {
  addHeadlessFlags(command)
    .argument('[prompt]')
    .addHelpText('after', EXAMPLES)
    .action(async (named: string | undefined, given: GivenFlags) => {
      const said = typeof given.print === 'string' ? given.print : named;
      if (typeof given.print === 'string' && named !== undefined)
        throw new CommandFailure(
          `there are two prompts: '${given.print}' and '${named}'. Put one prompt in quotes.`,
          EXIT.usage,
        );
      const { prompt, flags } = inputAmongRules(said, given);
      finish(await headless(prompt === '-' ? undefined : prompt, flags));
    });
}

const EXAMPLES = `
Nobody is asked: what is not allowed beforehand is denied; commands that only read run. The last line of json and stream-json is always the result.
Flags of \`claude -p\` work here too; one that would have no effect is refused. Exit code 0 on success, 1 on an error result, 129, 130 and 143
when hung up, interrupted or terminated.

Examples:
  attractor -p "what does this project do?"
  attractor -p "fix the typo in README.md" --permission-mode acceptEdits --output-format stream-json
  attractor -p "run the tests and explain" --allowed-tools "Bash(npm test)" "Bash(git log *)"
  git diff | attractor -p "review this"
  attractor -p "and now the tests" --continue
  attractor -p "what is open?" --mcp tracker=node,tracker.js --allowed-tools mcp__tracker`;

/** What to do: a prompt, `undefined` for the contents of stdin, or null to finish a session's open work. */
type Wish = string | undefined | null;

/** One run from flags to exit code. */
export async function headless(prompt: Wish, asGiven: GivenFlags & AliasFlags): Promise<number> {
  if (prompt?.trim() === '') throw new CommandFailure(NO_PROMPT, EXIT.usage);
  const given = foldFlags(asGiven);
  const stop = catchStop();
  const piped = typeof prompt === 'string' && given.inputFormat === 'text' ? listenToPipe(stdinOf) : null;
  const home = homeFolder(process.env);
  const file = readSettingsFile(home);
  const cwd = existingFolder('--cwd', given.cwd ?? process.cwd());
  const out = createOutput(given);
  const { write } = out;
  const earlier = earlierSession({ home, cwd, flags: given, env: process.env, tell });
  const asked = {
    prompt: given.initOnly === true ? null : prompt,
    images: given.image,
    format: given.inputFormat,
    stdin: stdinOf,
    piped,
    signal: stop.signal,
    write,
    tell,
  };
  // Settings are read meanwhile: they decide whether a session may start at all, whatever stdin says.
  const setupFor = (wish: SetupWish) => readSetupFor(given, file, { home, cwd, ...wish });
  const early = await setupFor({ plugins: [] });
  refuseFor(refusedVariable({ ...process.env, ...early.asks.variables }));
  const { mode, rules } = permissionsHere(given, cwd, early);
  const flags: HeadlessFlags = withModelOf(earlier, { ...given, permissionMode: mode });
  const furtherFolders = [...flags.addDir.map((folder) => existingFolder('--add-dir', folder)), ...early.folders];
  const roots = [cwd, ...furtherFolders];
  const found = lookForSandbox(flags, roots);
  const settings = { ...settingsOf(file), ...early.asks };
  const llm = modelConfiguration({ env: process.env, settings, flags });
  const provider = requireModel(llm, home);
  refuseFor(wishProblem(flags, { provider, llm }));
  const model = modelFor(provider, { flags, llm, settings });
  const sandbox = confine({ flags, found: await found, roots, setup: early });
  // A session is created, or copied, only if there is something to do.
  const { inputs, control, initialized } = await runInput(asked);
  throwIfStopped(stop);
  const setup = initialized === null ? early : await setupFor(initialized);
  const isDriven = initialized !== null;
  const places = openSessionPlaces({ home, cwd, flags, earlier, isDriven, provider, model });
  const { place, newPlace } = places;
  setup.unused.forEach(tell);
  const notes = modelNotes({ flags, settings, provider, model });
  const progress = flags.outputFormat === 'text' ? startProgress(process.stderr, process.env) : null;
  const work = { place, newPlace, cwd, furtherFolders, sandbox, rules, setup };
  const mirror = flags.sessionMirror === true ? mirrorAt({ env: process.env, cwd }) : null;
  const told = { version: VERSION, write, mirror, progress, notes, tell };
  const input = { flags, inputs, control, signal: stop.signal, llm, provider, model, ...work, ...told };
  const end = unwrap(await runHeadless(input, initialized));
  stop.release();
  places.forget((one) => flags.sessionPersistence !== false && !end.unused.includes(one));
  const exitCode = exitCodeOf(end, stop);
  if (end.result === null) return exitCode;
  out.end(end.result);
  if (exitCode !== EXIT.done && (flags.outputFormat === 'text' || end.failure !== null))
    tell(String(end.result['result']));
  return exitCode;
}

/** A function, because merely naming stdin opens it. */
const stdinOf = (): NodeJS.ReadStream => process.stdin;

function refuseFor(reason: string | null): void {
  if (reason !== null) throw new CommandFailure(reason, EXIT.usage);
}

const NO_PROMPT = 'no prompt: pass it as `attractor -p "…"` or on stdin.';

type SetupWish = { readonly plugins: ReadonlyArray<string>; readonly skills?: ReadonlyArray<string> };

type SetupPlace = SetupWish & { readonly home: string; readonly cwd: string };

async function readSetupFor(flags: GivenFlags, file: SettingsFile, wish: SetupPlace): Promise<SessionSetup> {
  const pluginFolders = [...flags.pluginDir, ...wish.plugins].map((folder) => existingFolder('--plugin-dir', folder));
  const root = flags.projectConfigRoot;
  const read = await setupHere(file, {
    home: wish.home,
    folder: root === undefined ? wish.cwd : existingFolder('--project-config-root', root),
    env: process.env,
    given: flags.settings,
    pluginFolders,
    ...defined({ only: flags.settingSources }),
  });
  const setup = root === undefined ? read : configuredElsewhere(read, wish.cwd);
  const servers = flags.strictMcpConfig === true ? [] : flags.allowedMcpServerNames;
  return narrowSetup(setup, defined({ isBare: flags.disableSlashCommands, servers, skills: wish.skills }));
}

function tell(text: string): void {
  putText(process.stderr, `attractor: ${readableText(text)}\n`);
}
