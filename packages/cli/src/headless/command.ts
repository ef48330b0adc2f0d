import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Mcp } from '@attractor/mcp';
import type { Sandbox } from '@attractor/confine';
import { costOf, defaultModel, NO_USAGE } from '@attractor/llm';
import type { Command } from 'commander';
import { CommandFailure, EXIT } from '../exit.ts';
import { modelConfiguration } from '../model-configuration.ts';
import { chosenModel } from '../model-flags.ts';
import { requireModel } from '../require-model.ts';
import { homeFolder, readSettings } from '../settings.ts';
import { readableText } from '../terminal/escape.ts';
import { catchStop, throwIfStopped } from '../terminal/stop-signal.ts';
import { confine, lookForSandbox } from './confine.ts';
import type { Line } from './event-lines.ts';
import { filesHere } from './files-here.ts';
import { addHeadlessFlags, type GivenFlags, type HeadlessFlags } from './flags.ts';
import { type Permissions, permissionsHere } from './permissions.ts';
import { runHeadless } from './headless.ts';
import { noPrompt, promptGiven, readPrompts } from './prompts.ts';
import { unknownFields } from './session-config.ts';
import { earlierSession, forgetSession, openSessionPlace, withModelOf } from './session-place.ts';
import { toolsHere } from './tools-here.ts';

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

/** What to do: a prompt, `undefined` for what stdin says, or null to finish what a session was left with. */
type Wish = string | undefined | null;

/** One run from flags to exit code. */
export async function headless(prompt: Wish, given: GivenFlags): Promise<number> {
  if (prompt?.trim() === '') throw noPrompt();
  const stop = catchStop();
  const home = homeFolder(process.env);
  const settings = readSettings(home);
  const cwd = existingFolder('--cwd', given.cwd ?? process.cwd());
  const allowed = permissionsHere({ flags: given, cwd, home, env: process.env });
  const { mode, rules, folders } = allowed;
  const earlier = earlierSession({ home, cwd, flags: given });
  const flags: HeadlessFlags = withModelOf(earlier, { ...given, permissionMode: mode });
  const furtherFolders = [...flags.addDir.map((folder) => existingFolder('--add-dir', folder)), ...folders];
  const roots = [cwd, ...furtherFolders];
  const found = lookForSandbox(flags, roots);
  const llm = modelConfiguration({ env: process.env, settings, flags });
  const provider = requireModel(llm, home);
  const chosen = chosenModel(flags, settings);
  const sandbox = confine({ flags, found: await found, roots, limits: allowed.sandbox, home });
  // A session is made, or copied, only for something to do; one that is there may have work left, whatever comes on stdin.
  const isMade = earlier === null || flags.forkSession === true;
  const asked = { prompt, format: flags.inputFormat, stdin: () => process.stdin };
  const source = isMade || asked.format === 'text' ? await promptGiven(asked, stop.signal) : asked;
  throwIfStopped(stop);
  const named = chosen.model ?? defaultModel(provider);
  const place = openSessionPlace({ home, cwd, flags, earlier, provider, model: named });
  const files = await filesHere({ loaded: allowed.loaded, cwd, home, env: process.env });
  const tools = await files.equip(toolsHere({ flags, provider, model: chosen.model, place, files }));
  const model = named ?? tools.profile.defaultModel;
  for (const unused of [...allowed.unusedHooks, ...files.problems, ...notHeld(flags, model)])
    process.stderr.write(`attractor: ${readableText(unused)}\n`);
  const mcpServers = new Map([...files.mcpServers, ...allowed.mcpServers]);
  const mcp = await serversHere(flags, { permissions: { ...allowed, mcpServers }, cwd, home, sandbox });
  const write = (line: Line): void =>
    void (flags.outputFormat === 'stream-json' && process.stdout.write(`${JSON.stringify(line)}\n`));
  const { exitCode, result, failure, isUnused } = await runHeadless({
    flags,
    prompts: (listening) => readPrompts(source, listening),
    stop,
    llm,
    provider,
    model,
    tools,
    place,
    cwd,
    furtherFolders,
    sandbox,
    network: allowed.sandbox.network,
    rules,
    hooks: [...allowed.hooks, ...files.hooks],
    files,
    mcp,
    write,
  });
  if (isUnused && earlier === null) forgetSession(home, place);
  if (result !== null)
    process.stdout.write(flags.outputFormat === 'text' ? textOf(result) : `${JSON.stringify(result)}\n`);
  if (result !== null && exitCode !== EXIT.done && (flags.outputFormat === 'text' || failure !== null))
    process.stderr.write(`attractor: ${readableText(String(result['result']))}\n`);
  return exitCode;
}

/** What was asked for and can't be done. */
function notHeld({ config, maxBudgetUsd }: HeadlessFlags, model: string): ReadonlyArray<string> {
  const fields = unknownFields(config).map((name) => `--config: no session has a field ${name}, so it does nothing.`);
  if (maxBudgetUsd === undefined || costOf(model, NO_USAGE) !== null) return fields;
  return [...fields, `no price of ${model} is known, so --max-budget-usd can't stop this run.`];
}

type Here = {
  readonly permissions: Permissions;
  readonly cwd: string;
  readonly home: string;
  readonly sandbox: Sandbox | null;
};

/** Null: there is no server, and nothing of what servers need is loaded. */
async function serversHere(flags: HeadlessFlags, { permissions, ...here }: Here): Promise<Mcp | null> {
  const { mcpServers: settings, disabledMcpServers: disabled } = permissions;
  if (flags.mcp.length + settings.size + Object.keys(flags.mcpConfig).length === 0) return null;
  const { openServers } = await import('../mcp/session-servers.ts');
  const { mcp, problems } = openServers({ flags, settings, disabled, ...here, env: process.env });
  for (const problem of problems) process.stderr.write(`attractor: ${readableText(problem)}\n`);
  return mcp;
}

function textOf(result: Line): string {
  return result['is_error'] === true ? '' : `${String(result['result'])}\n`;
}

function existingFolder(flag: string, asked: string): string {
  const folder = resolve(asked);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new CommandFailure(`${flag}: ${folder} is not a folder.`, EXIT.notFound);
  return folder;
}
