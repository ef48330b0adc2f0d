import path from 'node:path';
import { defined } from '@attractor/base';
import { parseRule, type PermissionMode } from '@attractor/policy';

import type { SettingAgent, SettingOrigin } from '../settings/origin.ts';
import type { WrittenHooks } from '../settings/session-settings.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { type Findings, reportProblem, reportUnmapped } from '../written-files/findings.ts';
import {
  countIn,
  type FieldRow,
  flagIn,
  type Head,
  listIn,
  readHeadFields,
  textIn,
} from '../written-files/head-fields.ts';
import { areHooksReadable, hooksInHead } from '../written-files/hooks-in-head.ts';
import { filesIn, type FoundFile, type FilePlace } from '../written-files/places.ts';
import type { Tree } from '../written-files/trees.ts';
import { permissionLimits } from './permission-limits.ts';
import { writtenServers } from './written-servers.ts';

/** An agent that is described in a file. */
export type UserAgent = {
  readonly definition: AgentDefinition;
  /** They count in agents of this type alone. */
  readonly hooks: ReadonlyArray<WrittenHooks>;
  readonly origin: SettingOrigin;
};

type Form = 'claude' | 'opencode' | 'gemini';

const FOLDERS: ReadonlyArray<readonly [Tree['kind'], string, SettingAgent, Form]> = [
  ['own', 'agents', 'attractor', 'claude'],
  ['person', '.claude/agents', 'claude-code', 'claude'],
  ['person', '.config/opencode/agent', 'opencode', 'opencode'],
  ['person', '.config/opencode/agents', 'opencode', 'opencode'],
  ['person', '.gemini/agents', 'gemini', 'gemini'],
  ['repository', '.attractor/agents', 'attractor', 'claude'],
  ['repository', '.claude/agents', 'claude-code', 'claude'],
  ['repository', '.opencode/agent', 'opencode', 'opencode'],
  ['repository', '.opencode/agents', 'opencode', 'opencode'],
  ['repository', '.gemini/agents', 'gemini', 'gemini'],
  ['plugin', 'agents', 'claude-code', 'claude'],
];

const PLACES: ReadonlyArray<FilePlace<Form>> = FOLDERS.map(([kind, folder, agent, form]) => ({
  in: kind,
  folder,
  agent,
  endsWith: '.md',
  form,
}));

const NO_PLACE = 'has no place here: an agent works like the session that starts it';
const shared = {
  name: { kind: 'text' },
  description: { kind: 'text' },
  model: { kind: 'text' },
  color: { kind: 'any' },
} as const satisfies Readonly<Record<string, FieldRow>>;

const FIELDS: Readonly<Record<Form, Readonly<Record<string, FieldRow>>>> = {
  claude: {
    ...shared,
    tools: { kind: 'tools', isLimit: true },
    disallowedTools: { kind: 'tools', isLimit: true },
    permissionMode: { kind: 'text', isLimit: true },
    maxTurns: { kind: 'count', isLimit: true },
    skills: { kind: 'words' },
    mcpServers: { kind: 'any' },
    hooks: { kind: 'any', isLimit: true },
    memory: { kind: 'text' },
    background: { kind: 'flag' },
    omitClaudeMd: { kind: 'flag' },
    effort: { kind: 'text' },
    isolation: { kind: 'text', isLimit: true },
    initialPrompt: { kind: 'text' },
    autoCompactWindow: { kind: 'count' },
    observer: { kind: 'any', reason: 'nobody watches an agent but its session' },
    observerMessage: { kind: 'any', reason: 'nobody watches an agent but its session' },
    observeSubagents: { kind: 'any', reason: 'nobody watches an agent but its session' },
    experimental: { kind: 'any', reason: 'nothing that is tried out is read' },
    criticalSystemReminder_EXPERIMENTAL: { kind: 'any', reason: 'write it into the text below the head' },
  },
  opencode: {
    ...shared,
    mode: { kind: 'text' },
    prompt: { kind: 'text' },
    tools: { kind: 'any', isLimit: true },
    permission: { kind: 'any', isLimit: true },
    steps: { kind: 'count', isLimit: true },
    maxSteps: { kind: 'count', isLimit: true },
    hidden: { kind: 'flag' },
    disable: { kind: 'flag' },
    temperature: { kind: 'any', reason: NO_PLACE },
    top_p: { kind: 'any', reason: NO_PLACE },
    options: { kind: 'any', reason: NO_PLACE },
    variant: { kind: 'any', reason: NO_PLACE },
  },
  gemini: {
    ...shared,
    kind: { kind: 'text' },
    tools: { kind: 'tools', isLimit: true },
    max_turns: { kind: 'count', isLimit: true },
    mcpServers: { kind: 'any' },
    temperature: { kind: 'any', reason: NO_PLACE },
    display_name: { kind: 'any', reason: 'an agent is shown by its name' },
    timeout_mins: { kind: 'any', reason: 'an agent works until it is done or stopped' },
  },
};

/** Every agent, one of each name: the first counts, so the person's own wins over the repository's. */
export function readAgents(trees: ReadonlyArray<Tree>, findings: Findings): ReadonlyArray<UserAgent> {
  const agents = new Map<string, UserAgent>();
  for (const found of filesIn(trees, PLACES)) {
    const agent = readAgent(found, findings);
    if (agent === null) continue;
    const { name } = agent.definition;
    const other = agents.get(name);
    if (other === undefined) agents.set(name, agent);
    else
      reportUnmapped(
        findings,
        { origin: agent.origin, line: null },
        { name: `agent ${name}`, reason: `hidden by ${other.origin.file ?? 'another one'}` },
      );
  }
  return [...agents.values()];
}

function readAgent(found: FoundFile<Form>, findings: Findings): UserAgent | null {
  const head = readHeadFields(found, FIELDS[found.form], findings);
  if (head === null || flagIn(head, 'disable') === true) return null;
  const { origin, plugin, form } = found;
  if (form === 'opencode' && textIn(head, 'mode') === 'primary') {
    const reason = 'is not offered: a primary agent takes the place of the session, and is started by nobody';
    reportUnmapped(findings, { origin, line: head.lines.get('mode') ?? null }, { name: 'mode: primary', reason });
    return null;
  }
  const name = (form === 'opencode' ? undefined : textIn(head, 'name')) ?? path.basename(found.name);
  const description = textIn(head, 'description');
  const at = { origin, line: null };
  if (description === undefined) return lost(findings, at, '"description" is missing: expected when to use the agent');
  const prompt = head.body === '' ? (textIn(head, 'prompt') ?? '') : head.body;
  if (prompt === '') return lost(findings, at, 'expected what the agent is told after the head');
  const limits = limitsOf(found, head, findings);
  const isolation = isolationOf(found, head, findings);
  if (limits === null || isolation === null || !areHooksReadable(found, head, findings)) return null;
  const ownName = plugin === null ? name : `${plugin}:${name}`;
  const model = textIn(head, 'model');
  const maxTurns = MAX_TURNS.map((field) => countIn(head, field)).find((count) => count !== undefined);
  return {
    definition: {
      name: ownName,
      description: description.replaceAll(/\s+/g, ' '),
      prompt,
      ...limits,
      ...(model === undefined || model === 'inherit' ? {} : { model }),
      ...defined({ maxTurns, window: countIn(head, 'autoCompactWindow') }),
      ...(flagIn(head, 'background') === true ? { background: true } : {}),
      ...(flagIn(head, 'omitClaudeMd') === true ? { omitsDocs: true } : {}),
      ...defined({ skills: listIn(head, 'skills'), initialPrompt: textIn(head, 'initialPrompt') }),
      ...effortOf(found, head, findings),
      ...isolation,
      ...memoryOf(found, head, findings),
      ...serversOf(found, head, findings),
    },
    hooks: hooksInHead(found, head, { agent: ownName }),
    origin,
  };
}

const MAX_TURNS = ['maxTurns', 'max_turns', 'steps', 'maxSteps'];

function lost(findings: Findings, at: Parameters<typeof reportProblem>[1], message: string): null {
  reportProblem(findings, at, message);
  return null;
}

/** Null, with the problem reported: an agent that was meant to work apart must not work among the person's files. */
function isolationOf(
  { origin }: FoundFile<Form>,
  head: Head,
  findings: Findings,
): Pick<AgentDefinition, 'isolation'> | null {
  const given = textIn(head, 'isolation');
  if (given === undefined) return {};
  if (given === 'worktree') return { isolation: given };
  const at = { origin, line: head.lines.get('isolation') ?? null };
  return lost(findings, at, '"isolation" must be worktree. The agent is not used until this is fixed');
}

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

function effortOf({ origin }: FoundFile<Form>, head: Head, findings: Findings): Pick<AgentDefinition, 'effort'> {
  const given = textIn(head, 'effort');
  const effort = EFFORTS.find((one) => one === given);
  if (given !== undefined && effort === undefined)
    reportProblem(
      findings,
      { origin, line: head.lines.get('effort') ?? null },
      `"effort" must be one of ${EFFORTS.join(', ')}`,
    );
  return defined({ effort });
}

const MEMORIES = ['user', 'project', 'local'] as const;

function memoryOf({ origin }: FoundFile<Form>, head: Head, findings: Findings): Pick<AgentDefinition, 'memory'> {
  const given = textIn(head, 'memory');
  const memory = MEMORIES.find((one) => one === given);
  if (given !== undefined && memory === undefined)
    reportProblem(
      findings,
      { origin, line: head.lines.get('memory') ?? null },
      `"memory" must be one of ${MEMORIES.join(', ')}`,
    );
  return defined({ memory });
}

/** A name alone is a server of the session, which the agent has anyway. */
function serversOf({ origin }: FoundFile<Form>, head: Head, findings: Findings): Pick<AgentDefinition, 'servers'> {
  const given = head.values.get('mcpServers');
  const line = head.lines.get('mcpServers') ?? null;
  const read = writtenServers(given, { ...origin, line });
  if (read === null)
    reportProblem(findings, { origin, line }, '"mcpServers" must be a list of names and of servers by name');
  return read === null || read.size === 0 ? {} : { servers: read };
}

type Limits = Pick<AgentDefinition, 'tools' | 'disallowedTools' | 'permissionMode'>;

/** What the agent may not do. Null, with the problem reported, if that can't be parsed. */
function limitsOf(found: FoundFile<Form>, head: Head, findings: Findings): Limits | null {
  const { origin } = found;
  const allowed = found.form === 'opencode' ? undefined : listIn(head, 'tools');
  const mode = textIn(head, 'permissionMode');
  const said = permissionLimits(
    head.values.get('permission'),
    found.form === 'opencode' ? head.values.get('tools') : undefined,
  );
  if (!said.ok) return lost(findings, { origin, line: head.lines.get('permission') ?? null }, said.message);
  for (const name of said.unmapped)
    reportUnmapped(
      findings,
      { origin, line: head.lines.get('permission') ?? null },
      { name: `permission.${name}`, reason: 'an agent is never allowed more than its session' },
    );
  if (mode !== undefined && !isMode(mode))
    return lost(
      findings,
      { origin, line: head.lines.get('permissionMode') ?? null },
      `"permissionMode" must be one of ${MODES.join(', ')}`,
    );
  const denied = [...(listIn(head, 'disallowedTools') ?? []), ...said.denied];
  const wrong = denied.find((rule) => !isRule(rule));
  if (wrong !== undefined)
    return lost(
      findings,
      { origin, line: head.lines.get('disallowedTools') ?? null },
      `${JSON.stringify(wrong)} is neither a tool nor a rule. The agent is not used until this is fixed`,
    );
  const narrowed = allowed?.filter((tool) => tool.includes('(')) ?? [];
  for (const tool of narrowed)
    reportUnmapped(
      findings,
      { origin, line: head.lines.get('tools') ?? null },
      { name: `tools: ${tool}`, reason: 'what is in parentheses is not followed: your rules judge each call' },
    );
  return {
    ...(allowed === undefined ? {} : { tools: allowed.map((tool) => tool.replace(/\(.*$/s, '')) }),
    ...(denied.length === 0 ? {} : { disallowedTools: denied }),
    ...(mode === undefined ? {} : { permissionMode: MODE_HERE[mode] ?? 'default' }),
  };
}

/** Claude Code's modes and ours for each: an agent of a mode that we lack is asked about like any other. */
const MODE_HERE: Readonly<Record<string, PermissionMode>> = {
  default: 'default',
  manual: 'default',
  auto: 'default',
  acceptEdits: 'acceptEdits',
  plan: 'plan',
  dontAsk: 'dontAsk',
  bypassPermissions: 'bypassPermissions',
};
const MODES = Object.keys(MODE_HERE);

function isMode(text: string): boolean {
  return Object.hasOwn(MODE_HERE, text);
}

function isRule(text: string): boolean {
  return parseRule(text, 'deny', { scope: 'session', file: null, line: null, root: '/' }).ok;
}
