import path from 'node:path';
import { defined } from '@attractor/base';
import type { SettingAgent } from '../settings/origin.ts';
import { type Findings, reportProblem, reportUnmapped } from '../written-files/findings.ts';
import {
  type FieldRow,
  flagIn,
  type Head,
  listIn,
  readHeadFields,
  textIn,
  PLUGIN_FIELDS_IN_HEADS,
} from '../written-files/head-fields.ts';
import { areHooksReadable, hooksInHead } from '../written-files/hooks-in-head.ts';
import { filesIn, type FoundFile, type FilePlace } from '../written-files/places.ts';
import type { Tree } from '../written-files/trees.ts';
import type { Skill } from './skill.ts';

const FOLDERS: ReadonlyArray<readonly [Tree['kind'], string, SettingAgent]> = [
  ['own', 'skills', 'attractor'],
  ['person', '.claude/skills', 'claude-code'],
  ['person', '.agents/skills', 'agents'],
  ['person', '.codex/skills', 'codex'],
  ['person', '.gemini/skills', 'gemini'],
  ['person', '.config/opencode/skills', 'opencode'],
  ['person', '.config/opencode/skill', 'opencode'],
  ['repository', '.attractor/skills', 'attractor'],
  ['repository', '.claude/skills', 'claude-code'],
  ['repository', '.agents/skills', 'agents'],
  ['repository', '.codex/skills', 'codex'],
  ['repository', '.gemini/skills', 'gemini'],
  ['repository', '.opencode/skills', 'opencode'],
  ['repository', '.opencode/skill', 'opencode'],
  ['plugin', 'skills', 'claude-code'],
];

const PLACES: ReadonlyArray<FilePlace<'skill'>> = FOLDERS.map(([kind, folder, agent]) => ({
  in: kind,
  folder,
  agent,
  endsWith: 'SKILL.md',
  form: 'skill',
}));

const NOT_OBEYED = 'is not obeyed: the session goes on as it is';

/** The Agent Skills format and what Claude Code added to it. */
const FIELDS: Readonly<Record<string, FieldRow>> = {
  name: { kind: 'text' },
  description: { kind: 'text' },
  license: { kind: 'any' },
  compatibility: { kind: 'text' },
  metadata: { kind: 'any' },
  'allowed-tools': { kind: 'tools', isLimit: true },
  when_to_use: { kind: 'text' },
  'argument-hint': { kind: 'any' },
  arguments: { kind: 'words' },
  'disable-model-invocation': { kind: 'flag', isLimit: true },
  'user-invocable': { kind: 'flag' },
  'disallowed-tools': {
    kind: 'tools',
    isLimit: true,
    reason: 'is told to the model; only your own rules keep tools from it',
  },
  model: { kind: 'text' },
  effort: { kind: 'any', reason: NOT_OBEYED },
  context: { kind: 'text' },
  agent: { kind: 'text' },
  background: { kind: 'any', reason: 'the report of its agent is waited for' },
  hooks: { kind: 'any', isLimit: true },
  paths: { kind: 'any', reason: 'is not obeyed: the skill is offered everywhere' },
  shell: { kind: 'text', reason: 'commands run in bash' },
  disallowedTools: {
    kind: 'tools',
    isLimit: true,
    reason: 'is told to the model; only your own rules keep tools from it',
  },
  ...PLUGIN_FIELDS_IN_HEADS,
};

/** Every skill, one of each name: the first counts, so the person's own wins over the repository's. */
export function readSkills(trees: ReadonlyArray<Tree>, findings: Findings): ReadonlyArray<Skill> {
  const skills = new Map<string, Skill>();
  for (const found of filesIn(trees, PLACES)) {
    const skill = readSkill(found, findings);
    if (skill === null) continue;
    const other = skills.get(skill.name);
    if (other === undefined) skills.set(skill.name, skill);
    else
      reportUnmapped(
        findings,
        { origin: skill.origin, line: null },
        { name: `skill ${skill.name}`, reason: `hidden by ${other.origin.file ?? 'another one'}` },
      );
  }
  return [...skills.values()];
}

const MAX_NAME = 64;
const MAX_DESCRIPTION = 1024;

function readSkill(found: FoundFile, findings: Findings): Skill | null {
  const head = readHeadFields(found, FIELDS, findings);
  if (head === null) return null;
  const folder = path.dirname(found.file);
  const written = textIn(head, 'name') ?? path.basename(folder);
  // People write a title there; Claude Code then calls the skill by its folder.
  const name = [written, path.basename(folder)].find(isName);
  const line = head.lines.get('name') ?? null;
  const { origin } = found;
  if (name !== written) {
    const expected = `at most ${MAX_NAME} of a-z, 0-9 and single hyphens, with colons after a prefix`;
    const instead = name === undefined ? '' : `. It is called ${name}, by its folder`;
    reportProblem(findings, { origin, line }, `"name" must be ${expected}, not ${JSON.stringify(written)}${instead}`);
  }
  if (name === undefined) return null;
  if (name !== path.basename(folder) && !name.endsWith(`:${path.basename(folder)}`))
    reportProblem(findings, { origin, line }, `"name" must be that of its folder: ${path.basename(folder)}`);
  if (!areHooksReadable(found, head, findings)) return null;
  tellOfModel(found, head, findings);
  const ownName = found.plugin === null ? name : `${found.plugin}:${name}`;
  return {
    name: ownName,
    hooks: hooksInHead(found, head, { skill: ownName }),
    description: descriptionOf(found, head, findings),
    body: withLimit(head.body, listIn(head, 'disallowed-tools') ?? listIn(head, 'disallowedTools') ?? []),
    folder,
    ...defined({ model: textIn(head, 'model'), fork: forkIn(head) }),
    isOfPlugin: found.plugin !== null,
    argumentHint: hintOf(head),
    argumentNames: listIn(head, 'arguments') ?? [],
    allowedTools: listIn(head, 'allowed-tools') ?? [],
    forModel: flagIn(head, 'disable-model-invocation') !== true,
    forPerson: flagIn(head, 'user-invocable') !== false,
    origin,
  };
}

function isName(name: string): boolean {
  return name.length <= MAX_NAME && /^[a-z0-9]+(?:[-_.:][a-z0-9]+)*$/.test(name);
}

/** A conversation that reads a skill by itself is not handed to another model in the middle. */
function tellOfModel({ origin }: FoundFile, head: Head, findings: Findings): void {
  const model = textIn(head, 'model');
  const isRead = flagIn(head, 'disable-model-invocation') !== true && forkIn(head) === undefined;
  if (model === undefined || model === 'inherit' || !isRead) return;
  const reason =
    'counts where a person calls the skill by its name; where a model reads it by itself, that model goes on (`context: fork` gives it to the other one)';
  reportUnmapped(findings, { origin, line: head.lines.get('model') ?? null }, { name: 'model', reason });
}

/** `context: fork` gives it to an agent of its own; `agent` says of which type. */
export function forkIn(head: Head): string | undefined {
  return textIn(head, 'context') === 'fork' ? (textIn(head, 'agent') ?? 'general-purpose') : undefined;
}

function withLimit(body: string, tools: ReadonlyArray<string>): string {
  return tools.length === 0 ? body : `${body}\n\nDo not use these tools for this: ${tools.join(', ')}.`;
}

function descriptionOf({ origin }: FoundFile, head: Head, findings: Findings): string {
  const at = { origin, line: head.lines.get('description') ?? null };
  const given = textIn(head, 'description');
  if (given === undefined)
    reportProblem(findings, at, '"description" is missing: expected what it is for and when to use it');
  const whole = [given ?? firstParagraph(head.body), textIn(head, 'when_to_use') ?? ''].filter(Boolean).join(' ');
  if ((given?.length ?? 0) > MAX_DESCRIPTION)
    reportProblem(findings, at, `"description" must have at most ${MAX_DESCRIPTION} characters; the rest is cut`);
  return whole.replaceAll(/\s+/g, ' ').slice(0, MAX_DESCRIPTION + 512);
}

function firstParagraph(body: string): string {
  return body.split(/\n\s*\n/).find((part) => part.trim() !== '' && !part.startsWith('#')) ?? '';
}

/** Often written as `[file] [reason]`, which YAML parses as a list. */
export function hintOf({ values }: Head): string | null {
  const value = values.get('argument-hint');
  if (Array.isArray(value)) return value.map((item) => `[${String(item)}]`).join(' ');
  return typeof value === 'string' && value !== '' ? value : null;
}
