import { readFileSync } from 'node:fs';
import { messageOf, nearestName } from '@attractor/base';
import { codexSetting } from '@attractor/settings';
import { InputProblem } from '../input/input-problem.ts';
import { as, by, each, type FlagRow, type Meant, needless, refused, told } from './flag-row.ts';

/** The flags of `codex exec`, as of version 0.166. */
export const CODEX_FLAGS: ReadonlyArray<FlagRow> = [
  { flag: '-m, --model <model>', here: as('--model') },
  { flag: '-C, --cd <dir>', here: as('--cwd') },
  { flag: '--add-dir <dir>', here: as('--add-dir') },
  { flag: '-i, --image <file...>', here: by('`--image`', each('--image')) },
  { flag: '-s, --sandbox <mode>', here: by('see below', sandbox) },
  { flag: '--full-auto', here: by('`--sandbox workspace-write`', () => sandbox('workspace-write')) },
  {
    flag: '--dangerously-bypass-approvals-and-sandbox, --yolo',
    here: by('`--sandbox danger-full-access`', () => sandbox('danger-full-access')),
  },
  { flag: '-a, --ask-for-approval <policy>', here: needless('nobody is asked: what is not allowed is denied') },
  { flag: '--json, --experimental-json', here: by('`--output-format stream-json --lines-of codex`', jsonLines) },
  { flag: '-o, --output-last-message <file>', here: as('--output-last-message') },
  { flag: '--output-schema <file>', here: by('`--json-schema`', (file) => ['--json-schema', textOf(file)]) },
  { flag: '--ephemeral', here: as('--no-session-persistence') },
  {
    flag: '--ignore-user-config',
    here: by('`--setting-sources project,local`', () => ['--setting-sources', 'project,local']),
  },
  { flag: '-c, --config <key=value>', here: by('by its key: see below', override) },
  { flag: '--search', here: by('`--allowed-tools WebSearch`', () => ['--allowed-tools=WebSearch']) },
  { flag: '--oss', here: by('`--provider ollama`', () => ['--provider', 'ollama']) },
  { flag: '--local-provider <name>', here: as('--provider') },
  { flag: '--skip-git-repo-check', here: needless('a folder needs no repository') },
  { flag: '--color <when>', here: needless('stdout carries no colours') },
  { flag: '--progress-cursor', here: needless('progress is shown where somebody sees it') },
  {
    flag: '-p, --profile <name>',
    here: refused('the profile that config.toml names counts: name it there, or give what it sets as flags'),
  },
  { flag: '--ignore-rules', here: refused('rules that forbid always hold') },
  { flag: '--strict-config', here: told('keys that are not known here are listed by `attractor config show`') },
  { flag: '--thread-source <source>', here: told('sessions are not sorted by where they come from') },
  {
    flag: '--dangerously-bypass-hook-trust',
    here: refused('hooks of a repository run once you trust it: `attractor trust grant`'),
  },
  { flag: '--worktree', here: refused('work in a worktree of its own is a task: `attractor run`') },
  { flag: '--cyber-access-program <program>', here: refused('it is a service of OpenAI alone') },
  {
    flag: '--approve-for-me, --not-so-yolo',
    here: refused('no second model reviews what is asked: use --sandbox workspace-write'),
  },
  { flag: '--enable <feature>', here: told('there are no features of that name to switch') },
  { flag: '--disable <feature>', here: told('there are no features of that name to switch') },
];

/** Flags of `codex exec resume` besides. */
export const CODEX_RESUME_FLAGS: ReadonlyArray<FlagRow> = [
  { flag: '--last', here: as('--continue') },
  { flag: '--all', here: refused('sessions of other folders are named by their id') },
];

const READ_ONLY = { sandbox: { filesystem: { denyWrite: ['.'] } } };

const MODES: Readonly<Record<string, ReadonlyArray<string>>> = {
  // Its own rules may allow a command; nothing that it starts can write.
  'read-only': ['--permission-mode', 'default', '--disallowed-tools=Edit', '--settings', JSON.stringify(READ_ONLY)],
  // Nothing is asked, and everything happens inside the sandbox.
  'workspace-write': ['--permission-mode', 'bypassPermissions'],
  'danger-full-access': ['--permission-mode', 'bypassPermissions', '--allow-unsandboxed'],
};

/** Each mode of the sandbox in our words; the documents show them. */
export const CODEX_SANDBOXES: ReadonlyArray<readonly [mode: string, means: string]> = [
  ['read-only', 'files can only be read, by tools and by commands'],
  ['workspace-write', 'everything runs unasked, inside the sandbox; without a sandbox the run does not start'],
  ['danger-full-access', '`--permission-mode bypassPermissions --allow-unsandboxed`'],
];

function sandbox(mode: string): ReadonlyArray<string> {
  const words = Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
  if (words === undefined) throw new InputProblem(`--sandbox takes ${Object.keys(MODES).join(', ')}, not '${mode}'.`);
  return words;
}

function jsonLines(): ReadonlyArray<string> {
  return ['--output-format', 'stream-json', '--lines-of', 'codex'];
}

type Override = (value: string) => ReadonlyArray<string>;

/** Keys of `-c` that have a flag here. */
const OVERRIDES: Readonly<Record<string, Override>> = {
  model: (value) => ['--model', value],
  model_provider: (value) => ['--provider', value],
  model_reasoning_effort: (value) => ['--effort', value === 'none' || value === 'minimal' ? 'low' : value],
  sandbox_mode: sandbox,
  approval_policy: () => [],
  developer_instructions: (value) => ['--append-system-prompt', value],
  web_search: (value) => (value === 'disabled' ? [] : ['--allowed-tools=WebSearch']),
  'tools.web_search': (value) => (value === 'true' ? ['--allowed-tools=WebSearch'] : []),
  'sandbox_workspace_write.network_access': (value) =>
    value === 'true' ? ['--settings', JSON.stringify({ sandbox: { network: { allowedDomains: ['*'] } } })] : [],
};

/** How an answer is shown or told about: leaving it out changes nothing that the agent does. */
const HARMLESS =
  /^(?:model_verbosity|model_reasoning_summary|hide_agent_reasoning|show_raw_agent_reasoning|notify|tui\b|history\b|features\b|disable_response_storage|analytics\b|otel\b)/;

/** Keys of config.toml that hold for one run as they hold in the file: who writes the line may write the file. */
const OF_FILE =
  /^(?:model_providers\.|mcp_servers\.|shell_environment_policy\.(?:inherit|exclude|set\b)|sandbox_workspace_write\.writable_roots$)/;

/** Our flag for lines of config.toml. */
const CODEX_CONFIG = '--codex-config';

/** One text of all such lines, because they belong to the same tables. Of two with the same key the later one counts. */
export function oneConfig(words: ReadonlyArray<string>): ReadonlyArray<string> {
  const isOfConfig = (at: number): boolean => words[at] === CODEX_CONFIG || words[at - 1] === CODEX_CONFIG;
  const lines = words.filter((_, at) => words[at - 1] === CODEX_CONFIG);
  if (lines.length === 0) return words;
  const byKey = new Map(lines.map((line) => [line.slice(0, line.indexOf(' = ')), line]));
  for (const key of byKey.keys()) refusePart(key, [...byKey.values()]);
  return [...words.filter((_, at) => !isOfConfig(at)), `${CODEX_CONFIG}=${[...byKey.values()].join('\n')}`];
}

/** A part of a server would be lost here: only whole ones are taken from a line. */
function refusePart(key: string, lines: ReadonlyArray<string>): void {
  const [, server] = /^(mcp_servers\.(?:"[^"]*"|[^.]+))/.exec(key) ?? [];
  if (server === undefined) return;
  const isWhole = lines.some(
    (line) => /^(?:\.(?:command|url) = | = \{)/.test(line.slice(server.length)) && line.startsWith(server),
  );
  if (isWhole) return;
  throw new InputProblem(
    `-c ${key}: a part of a server can't be set for one run here: give it whole, with its command or url, or change config.toml.`,
  );
}

/** As people write them. */
export const CODEX_TABLES: ReadonlyArray<string> = [
  'model_providers.NAME',
  'mcp_servers.NAME (whole servers)',
  'shell_environment_policy.inherit, .exclude, .set',
  'sandbox_workspace_write.writable_roots',
];

export const CODEX_OVERRIDES: ReadonlyArray<string> = Object.keys(OVERRIDES);

function override(text: string): Meant {
  const [, key = text, written = ''] = /^\s*([\w.-]+)\s*=\s*([^]*)$/.exec(text) ?? [];
  const set = Object.hasOwn(OVERRIDES, key) ? OVERRIDES[key] : undefined;
  if (set !== undefined) return set(written.trim().replace(/^(["'])([^]*)\1$/, '$2'));
  if (OF_FILE.test(key)) return [CODEX_CONFIG, codexSetting(key, written.trim())];
  if (HARMLESS.test(key)) return { note: `-c ${key} has no effect: it says how work is shown, not what is done.` };
  const near = nearestName(key, CODEX_OVERRIDES);
  throw new InputProblem(
    near === null
      ? `-c ${key}: can't be set for one run here. Known: ${[...CODEX_OVERRIDES, ...CODEX_TABLES].join(', ')}. Everything else is read from config.toml.`
      : `-c ${key}: there is no such key (did you mean ${near}?).`,
  );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputProblem(`--output-schema: ${messageOf(error)}`);
  }
}
