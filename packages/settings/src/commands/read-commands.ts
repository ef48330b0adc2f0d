import { parse, TomlError } from 'smol-toml';
import { defined } from '@attractor/base';
import { forkIn, hintOf } from '../skills/read-skills.ts';
import type { SettingAgent } from '../settings/origin.ts';
import { type Findings, reportProblem, reportUnmapped } from '../written-files/findings.ts';
import {
  type FieldRow,
  flagIn,
  listIn,
  readHeadFields,
  textIn,
  PLUGIN_FIELDS_IN_HEADS,
} from '../written-files/head-fields.ts';
import { filesIn, type FoundFile, type FilePlace } from '../written-files/places.ts';
import type { Tree } from '../written-files/trees.ts';
import type { UserCommand } from './command.ts';

type Form = 'markdown' | 'toml';

const FOLDERS: ReadonlyArray<readonly [Tree['kind'], string, SettingAgent]> = [
  ['own', 'commands', 'attractor'],
  ['person', '.claude/commands', 'claude-code'],
  ['person', '.codex/prompts', 'codex'],
  ['person', '.gemini/commands', 'gemini'],
  ['person', '.config/opencode/command', 'opencode'],
  ['person', '.config/opencode/commands', 'opencode'],
  ['person', '.pi/agent/prompts', 'pi'],
  ['person', 'Documents/Cline/Workflows', 'cline'],
  ['repository', '.attractor/commands', 'attractor'],
  ['repository', '.claude/commands', 'claude-code'],
  ['repository', '.gemini/commands', 'gemini'],
  ['repository', '.opencode/command', 'opencode'],
  ['repository', '.opencode/commands', 'opencode'],
  ['repository', '.pi/prompts', 'pi'],
  ['repository', '.clinerules/workflows', 'cline'],
  ['plugin', 'commands', 'claude-code'],
];

const PLACES: ReadonlyArray<FilePlace<Form>> = FOLDERS.map(([kind, folder, agent]) => ({
  in: kind,
  folder,
  agent,
  endsWith: agent === 'gemini' ? '.toml' : '.md',
  form: agent === 'gemini' ? 'toml' : 'markdown',
}));

const NOT_OBEYED = 'is not obeyed: the command runs in the session as it is';

const FIELDS: Readonly<Record<string, FieldRow>> = {
  name: { kind: 'text' },
  description: { kind: 'text' },
  'argument-hint': { kind: 'any' },
  'allowed-tools': { kind: 'tools', isLimit: true },
  'disable-model-invocation': { kind: 'flag', isLimit: true },
  model: { kind: 'text' },
  agent: { kind: 'text' },
  subtask: { kind: 'flag' },
  effort: { kind: 'any', reason: NOT_OBEYED },
  context: { kind: 'text' },
  hooks: { kind: 'any', reason: 'hooks of a command do not run: write them in your settings' },
  when_to_use: { kind: 'any', reason: 'a command is offered by its description' },
  arguments: { kind: 'any', reason: 'the arguments of a command are counted: $1, $2' },
  'user-invocable': { kind: 'any', reason: 'a person may call every command' },
  'disallowed-tools': { kind: 'any', reason: 'only your own rules keep tools from a command' },
  background: { kind: 'any', reason: 'its report is waited for' },
  paths: { kind: 'any', reason: 'a command is offered everywhere' },
  shell: { kind: 'any', reason: 'commands run in bash' },
  disallowedTools: { kind: 'any', reason: 'only your own rules keep tools from a command' },
  ...PLUGIN_FIELDS_IN_HEADS,
};

/** Every command, one of each name: the first counts, so the person's own wins over the repository's. */
export function readCommands(trees: ReadonlyArray<Tree>, findings: Findings): ReadonlyArray<UserCommand> {
  const commands = new Map<string, UserCommand>();
  for (const found of filesIn(trees, PLACES)) {
    const command = READERS[found.form](found, findings);
    if (command === null) continue;
    const other = commands.get(command.name);
    if (other === undefined) commands.set(command.name, command);
    else
      reportUnmapped(
        findings,
        { origin: command.origin, line: null },
        { name: `/${command.name}`, reason: `hidden by ${other.origin.file ?? 'another one'}` },
      );
  }
  return [...commands.values()];
}

type Reader = (found: FoundFile<Form>, findings: Findings) => UserCommand | null;

const READERS: Readonly<Record<Form, Reader>> = {
  markdown: (found, findings) => {
    const head = readHeadFields(found, FIELDS, findings);
    if (head === null) return null;
    const isSubtask = flagIn(head, 'subtask') === true;
    const fork = isSubtask ? (textIn(head, 'agent') ?? 'general-purpose') : forkIn(head);
    if (fork === undefined && textIn(head, 'agent') !== undefined) {
      const at = { origin: found.origin, line: head.lines.get('agent') ?? null };
      reportUnmapped(findings, at, { name: 'agent', reason: NOT_OBEYED });
    }
    // opencode writes the provider before the model.
    const model = textIn(head, 'model')?.replace(/^[^/]+\//, '');
    return {
      ...defined({ fork, model }),
      isOfPlugin: found.plugin !== null,
      name: nameOf(found),
      description: textIn(head, 'description') ?? firstLine(head.body),
      argumentHint: hintOf(head),
      template: head.body,
      form: 'claude',
      allowedTools: listIn(head, 'allowed-tools') ?? [],
      forModel: flagIn(head, 'disable-model-invocation') !== true,
      origin: found.origin,
    };
  },
  toml: (found, findings) => {
    const { origin } = found;
    const table = tomlOf(found, findings);
    if (table === null) return null;
    const { prompt, description, ...others } = table;
    if (typeof prompt !== 'string') {
      reportProblem(findings, { origin, line: null }, 'expected prompt = "…"');
      return null;
    }
    for (const name of Object.keys(others))
      reportUnmapped(findings, { origin, line: null }, { name, reason: 'not known here' });
    return {
      name: nameOf(found),
      description: typeof description === 'string' ? description : firstLine(prompt),
      argumentHint: null,
      template: prompt,
      form: 'gemini',
      isOfPlugin: found.plugin !== null,
      allowedTools: [],
      forModel: true,
      origin,
    };
  },
};

function tomlOf({ text, origin }: FoundFile, findings: Findings): Readonly<Record<string, unknown>> | null {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const message = `not valid TOML: ${error.message.split('\n', 1)[0] ?? ''}`;
    reportProblem(findings, { origin, line: error.line }, message);
    return null;
  }
}

function nameOf({ name, plugin }: FoundFile): string {
  return [...(plugin === null ? [] : [plugin]), ...name.split('/')].join(':').replaceAll(/\s+/g, '-');
}

function firstLine(text: string): string {
  return (text.split('\n').find((line) => line.trim() !== '') ?? '').replace(/^#+\s*/, '').slice(0, 120);
}
