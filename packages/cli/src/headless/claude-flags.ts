import { existsSync, readFileSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isRecord, messageOf } from '@attractor/base';
import { CommandFailure, EXIT } from '@attractor/console';
import {
  displayNamed,
  effortNamed,
  effortOf,
  EFFORTS,
  NEEDLESS_FLAGS,
  readWireAgents,
  REFUSED_FLAGS,
  type ThinkingDisplay,
} from '@attractor/headless';
import type { FileScope, GivenSettings } from '@attractor/settings';

type Fields = Readonly<Record<string, unknown>>;

/** The flags of `claude -p` that programs and scripts use, beside those that are ours too. */
export function addClaudeFlags(command: Command): Command {
  const texts = (value: string, before: ReadonlyArray<string>): ReadonlyArray<string> => [...before, value];
  const given =
    (flag: string, scope: GivenSettings['scope']) =>
    (value: string, before: ReadonlyArray<GivenSettings> = []): ReadonlyArray<GivenSettings> => [
      ...before,
      { flag, value, scope },
    ];
  command
    .option('--system-prompt <text>', 'the whole system prompt, instead of ours')
    .option('--tools <names>', 'the only built-in tools, such as "Read,Grep"; "" for none', toolNames)
    .option('--agents <json>', 'agents to delegate to: {"name":{"description":"…","prompt":"…"}}', agentsFlag)
    .option('--effort <level>', 'how hard the model thinks: low, medium, high, xhigh, max', effortFlag)
    .option(
      '--settings <file>',
      'further settings for this run: a settings.json, or its text',
      given('--settings', 'flag'),
      [],
    )
    .option('--setting-sources <scopes>', 'whose files are used: user, project, local (default: all)', scopesFlag)
    .option('--plugin-dir <folder>', 'a plugin for this run (may be repeated)', texts, [])
    .option('--strict-mcp-config', 'only the MCP servers of --mcp and --mcp-config')
    .option('--fallback-model <ids>', 'the models to ask while the first is overloaded, in order', modelNames)
    .option('--no-session-persistence', 'do not keep the session')
    .option('--agent <name>', 'an agent whose prompt, tools and model the session has')
    .option('-n, --name <title>', "the session's name in lists (default: its first prompt)")
    .option(
      '--resume-session-at <uuid>',
      'with --resume: continue after this message, by its uuid in the lines of a run',
    )
    .option('--resume-drops-turn <uuid>', 'with --resume-session-at: only if nothing but this prompt follows it')
    .option('--permission-prompt-tool <name>', 'who is asked instead of a person: stdio, or a tool of an MCP server')
    .option('--init', 'call the Setup hooks first, as for a new checkout')
    .option('--init-only', 'call the Setup and SessionStart hooks, and end: no prompt is needed')
    .option('--maintenance', 'call the Setup hooks first, as for maintenance')
    .option('--disable-slash-commands', 'no commands and no skills')
    .option('--bare', 'only the settings, hooks, servers and CLAUDE.md of the flags; what forbids still applies')
    .option('--dangerously-skip-permissions', 'the same as --permission-mode bypassPermissions')
    .option('--allow-dangerously-skip-permissions', 'let the program switch to bypassPermissions later');
  for (const option of hiddenFlags(given('--managed-settings', 'managed'))) command.addOption(option.hideHelp());
  return command;
}

function hiddenFlags(
  managed: (value: string, before: ReadonlyArray<GivenSettings> | undefined) => ReadonlyArray<GivenSettings>,
): ReadonlyArray<Option> {
  return [
    new Option('--allowedTools <rules...>'),
    new Option('--disallowedTools <rules...>'),
    new Option('--allowed-mcp-server-names <names>').argParser(modelNames),
    new Option('--replay-user-messages'),
    new Option('--codex-config <toml>'),
    new Option('--safe-mode'),
    new Option('--restricted'),
    new Option('-d, --debug [filter]'),
    new Option('--debug-file <file>'),
    new Option('--managed-settings <json>').argParser(managed),
    new Option('--system-prompt-file <file>').argParser(textOfFile),
    new Option('--append-system-prompt-file <file>').argParser(textOfFile),
    new Option('--max-thinking-tokens <n>').argParser(thinkingTokens),
    new Option('--thinking <mode>').argParser(thinkingMode),
    new Option('--betas <names...>').argParser(listed),
    new Option('--task-budget <tokens>').argParser(taskBudget),
    new Option('--thinking-display <how>').argParser(thinkingDisplay),
    new Option('--prompt-suggestions'),
    new Option('--session-mirror'),
    new Option('--project-config-root <folder>'),
    new Option('--permission-prompts <who>').choices(['host', 'none']),
    ...NEEDLESS_FLAGS.map((name) => new Option(name)),
    ...REFUSED_FLAGS.map(({ name, takes, reason }) =>
      takes ? new Option(`${name} <value>`).argParser(refuse(name, reason)) : refusedSwitch(name, reason),
    ),
  ];
}

function refuse(name: string, reason: string): () => never {
  return () => {
    throw new CommandFailure(`${name} is refused: ${reason}.`, EXIT.usage);
  };
}

/** A switch has no value to parse: given, it takes the next word, or nothing, and is refused either way. */
function refusedSwitch(name: string, reason: string): Option {
  return new Option(`${name} [value]`).preset('').argParser(refuse(name, reason));
}

function listed(text: string, before: ReadonlyArray<string> = []): ReadonlyArray<string> {
  return [...before, ...modelNames(text)];
}

/** What the service takes at least. */
const LEAST_BUDGET = 20_000;

function taskBudget(text: string): number {
  const tokens = Number(text);
  if (!Number.isSafeInteger(tokens) || tokens < LEAST_BUDGET)
    throw new InvalidArgumentError(`the service takes a whole number of tokens from ${LEAST_BUDGET} on`);
  return tokens;
}

function thinkingDisplay(text: string): ThinkingDisplay {
  const display = displayNamed(text);
  if (display === undefined) throw new InvalidArgumentError('expected summarized or omitted');
  return display;
}

function modelNames(text: string): ReadonlyArray<string> {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
}

function toolNames(text: string): ReadonlyArray<string> | undefined {
  return text === 'default' ? undefined : text.split(/[\s,]+/).filter(Boolean);
}

function effortFlag(text: string): string {
  const effort = effortNamed(text);
  if (effort === undefined) throw new InvalidArgumentError(`expected one of ${EFFORTS.join(', ')}`);
  return effort;
}

function thinkingTokens(text: string): string | undefined {
  const effort = effortOf(Number(text));
  if (effort === undefined) throw new InvalidArgumentError('expected a number of tokens');
  return effort ?? undefined;
}

/** Without an effort the service decides, and that is not to think. */
function thinkingMode(text: string): string | undefined {
  if (text === 'adaptive') return 'medium';
  if (text === 'disabled') return undefined;
  throw new InvalidArgumentError('expected adaptive or disabled');
}

const SCOPES: ReadonlyArray<FileScope> = ['user', 'project', 'local'];

function scopesFlag(text: string): ReadonlyArray<FileScope> {
  return text
    .split(',')
    .map((scope) => scope.trim())
    .filter(Boolean)
    .map((scope) => {
      const known = SCOPES.find((one) => one === scope);
      if (known === undefined) throw new InvalidArgumentError(`expected some of ${SCOPES.join(', ')}`);
      return known;
    });
}

function agentsFlag(text: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(existsSync(text) ? readFileSync(text, 'utf8') : text);
  } catch (error) {
    throw new InvalidArgumentError(`not valid JSON: ${messageOf(error)}`);
  }
  const [wrong] = readWireAgents(value).refused;
  if (wrong !== undefined || !isRecord(value)) throw new InvalidArgumentError(wrong ?? 'expected a JSON object');
  return { ...value };
}

function textOfFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error));
  }
}
