import { type Command, InvalidArgumentError, Option } from 'commander';
import { isRecord, messageOf } from '@attractor/base';
import { configProblem, type HeadlessOptions, OUTPUT_FORMATS, schemaProblem } from '@attractor/headless';
import type { PermissionMode } from '@attractor/policy';
import type { FileScope, GivenSettings } from '@attractor/settings';
import { LINES_OF, type LinesOf } from '@attractor/stream-json';
import { addModelFlags, type ModelFlags } from '../model-flags.ts';
import { addClaudeFlags } from './claude-flags.ts';
import { mcpConfigFlag, mcpFlag } from './mcp-flag.ts';
import { isPermissionMode, PERMISSION_MODES } from './permissions.ts';

export type HeadlessFlags = HeadlessOptions &
  ModelFlags & {
    readonly print: boolean | string;
    readonly cwd?: string;
    readonly addDir: ReadonlyArray<string>;
    readonly allowedTools: ReadonlyArray<string>;
    readonly disallowedTools: ReadonlyArray<string>;
    readonly allowUnsandboxed?: boolean;
    readonly resume?: string;
    readonly continue?: boolean;
    readonly sessionId?: string;
    readonly resumeSessionAt?: string;
    readonly resumeDropsTurn?: string;
    /** Whoever reads the lines keeps a copy of the session. */
    readonly sessionMirror?: boolean;
    /** The checkout whose files configure the session, in place of those where it works. */
    readonly projectConfigRoot?: string;
    /** False: nothing of the session is kept. */
    readonly sessionPersistence?: boolean;
    readonly settings: ReadonlyArray<GivenSettings>;
    readonly settingSources?: ReadonlyArray<FileScope>;
    readonly pluginDir: ReadonlyArray<string>;
    readonly strictMcpConfig?: boolean;
    /** Of the servers of the settings, only these. */
    readonly allowedMcpServerNames?: ReadonlyArray<string>;
    /** No commands and no skills: `/name` is ordinary text. */
    readonly disableSlashCommands?: boolean;
    /** Pictures that go with the prompt. */
    readonly image: ReadonlyArray<string>;
    readonly outputLastMessage?: string;
    readonly linesOf: LinesOf;
    /** Asked if nobody names another one and it is set up. */
    readonly usualProvider?: string;
  };

/** As the person gave them: without a mode the settings decide. */
export type GivenFlags = Omit<HeadlessFlags, 'permissionMode'> & Partial<Pick<HeadlessFlags, 'permissionMode'>>;

/** The flags of `attractor -p`. */
export function addHeadlessFlags(command: Command): Command {
  const collect = (value: string, before: ReadonlyArray<string>): ReadonlyArray<string> => [...before, value];
  return addClaudeFlags(addModelFlags(command))
    .addOption(new Option('-p, --print [prompt]', 'run without a terminal; the prompt may also come on stdin'))
    .addOption(
      new Option('--output-format <format>', 'what stdout carries').choices([...OUTPUT_FORMATS]).default('text'),
    )
    .addOption(
      new Option('--input-format <format>', 'what stdin carries').choices(['text', 'stream-json']).default('text'),
    )
    .option('--include-partial-messages', 'with stream-json: text and thinking as they arrive')
    .addOption(
      new Option('--profile <id>', 'the tools and the prompt of a family of models').choices([
        'anthropic',
        'openai',
        'gemini',
      ]),
    )
    .option('--image <file>', 'an image for the prompt (may be repeated)', collect, [])
    .option('--output-last-message <file>', 'also write the final text to this file')
    .addOption(
      new Option('--lines-of <agent>')
        .choices([...LINES_OF])
        .default('claude')
        .hideHelp(),
    )
    .addOption(new Option('--usual-provider <id>').hideHelp())
    .option('--cwd <folder>', 'where to work (default: here)')
    .option('--add-dir <folders...>', 'further folders that tools may read and change (may be repeated)', collect, [])
    .option('--max-turns <n>', 'stop after this many answers of the model in this run', wholeNumber)
    .option('--max-budget-usd <amount>', 'stop when this much is spent', positive)
    .option('--permission-mode <mode>', `what may run without asking: ${PERMISSION_MODES.join(', ')}`, permissionMode)
    .option(
      '--allowed-tools <rules...>',
      'what may run without asking, such as "Bash(npm test),Edit" (may be repeated)',
      collect,
      [],
    )
    .option(
      '--disallowed-tools <rules...>',
      'what may never run, such as "Bash(curl *),WebFetch" (may be repeated)',
      collect,
      [],
    )
    .option('--mcp <server>', 'an MCP server: NAME=COMMAND,ARG… or NAME=https://… (may be repeated)', mcpFlag, [])
    .option('--mcp-config <file>', 'a file like .mcp.json, or its text (may be repeated)', mcpConfigFlag, {})
    .option('--allow-unsandboxed', 'run commands on the machine itself, without a sandbox')
    .option('--json-schema <schema>', 'the final answer must fit this JSON Schema', answerSchema)
    .option('--append-system-prompt <text>', 'added at the end of the system prompt')
    .option('-r, --resume <id>', 'continue a session', idOfSession)
    .option('-c, --continue', 'continue the newest session of this folder')
    .option('--fork-session', 'with --resume or --continue: work on a copy')
    .option('--session-id <id>', 'the id of the new session')
    .option('--config <json>', 'any field of SessionConfig', sessionConfig, {});
}

/** Other agents call `default` `manual`, and have a mode that decides by a model, for which we ask. */
function permissionMode(text: string): PermissionMode {
  const mode = text === 'manual' || text === 'auto' ? 'default' : text;
  if (!isPermissionMode(mode)) throw new InvalidArgumentError(`expected one of ${PERMISSION_MODES.join(', ')}`);
  return mode;
}

function wholeNumber(text: string): number {
  const value = positive(text);
  if (!Number.isSafeInteger(value)) throw new InvalidArgumentError(`expected a whole number above 0, not '${text}'`);
  return value;
}

function positive(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new InvalidArgumentError(`expected a number above 0, not '${text}'`);
  return value;
}

function answerSchema(text: string): Readonly<Record<string, unknown>> {
  const schema = jsonObject(text);
  const problem = schemaProblem(schema);
  if (problem !== null) throw new InvalidArgumentError(problem);
  return schema;
}

function sessionConfig(text: string): Readonly<Record<string, unknown>> {
  const config = jsonObject(text);
  const problem = configProblem(config);
  if (problem !== null) throw new InvalidArgumentError(problem);
  return config;
}

function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value)) return { ...value };
  } catch (error) {
    throw new InvalidArgumentError(`not valid JSON: ${messageOf(error)}`);
  }
  throw new InvalidArgumentError('expected a JSON object');
}

/** Other agents show a list where no id follows, and the next flag would be taken for one. */
function idOfSession(text: string): string {
  if (!text.startsWith('-')) return text;
  throw new InvalidArgumentError(
    'it needs the id of a session, see `attractor sessions list`; --continue takes the last one of the folder',
  );
}
