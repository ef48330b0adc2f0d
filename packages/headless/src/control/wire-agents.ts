import { defined, isRecord } from '@attractor/base';
import type { PermissionMode } from '@attractor/policy';
import { type AgentDefinition, writtenServers } from '@attractor/settings';
import type { Fields } from './channel.ts';
import { effortNamed, EFFORTS } from './effort.ts';

export type WireAgents = { readonly agents: ReadonlyArray<AgentDefinition>; readonly refused: ReadonlyArray<string> };

/** Types of agents as JSON: by name, with `description`, `prompt`, and what they may do. A field that would have no effect is refused. */
export function readWireAgents(value: unknown): WireAgents {
  if (value === undefined || value === null) return { agents: [], refused: [] };
  if (!isRecord(value))
    return { agents: [], refused: ['agents: expected an object, {"name": {"description", "prompt"}}'] };
  const read = Object.entries(value).map(([name, agent]) => readOne(name, isRecord(agent) ? agent : {}));
  return { agents: read.flatMap(({ agents }) => agents), refused: read.flatMap(({ refused }) => refused) };
}

function readOne(name: string, fields: Fields): WireAgents {
  const wrong = Object.entries(FIELDS).flatMap(([field, { expected, holds }]) =>
    fields[field] === undefined || fields[field] === null || holds(fields[field])
      ? []
      : [`agents.${name}.${field}: expected ${expected}`],
  );
  const missing = ['description', 'prompt'].flatMap((field) =>
    typeof fields[field] === 'string' ? [] : [`agents.${name}.${field}: is missing`],
  );
  const idle = Object.keys(fields).flatMap((field) =>
    Object.hasOwn(FIELDS, field) || isOff(fields[field])
      ? []
      : [`agents.${name}.${field}: ${NO_EFFECT[field] ?? 'is not known here'}`],
  );
  const refused = [...missing, ...wrong, ...idle];
  return refused.length > 0 ? { agents: [], refused } : { agents: [definitionOf(name, fields)], refused: [] };
}

function definitionOf(name: string, fields: Fields): AgentDefinition {
  const { tools, disallowedTools, model, maxTurns, permissionMode } = fields;
  const servers = serversOf(fields['mcpServers']);
  const reminder = fields['criticalSystemReminder_EXPERIMENTAL'];
  return {
    name,
    description: String(fields['description']),
    prompt: [fields['prompt'], reminder].filter((text) => typeof text === 'string').join('\n\n'),
    ...(isTexts(tools) ? { tools } : {}),
    ...(isTexts(disallowedTools) ? { disallowedTools } : {}),
    ...defined({
      model: typeof model === 'string' ? model : undefined,
      maxTurns: typeof maxTurns === 'number' ? maxTurns : undefined,
      permissionMode: modeOf(permissionMode),
      effort: effortNamed(fields['effort']),
      window: typeof fields['autoCompactWindow'] === 'number' ? fields['autoCompactWindow'] : undefined,
      skills: isTexts(fields['skills']) ? fields['skills'] : undefined,
      initialPrompt: typeof fields['initialPrompt'] === 'string' ? fields['initialPrompt'] : undefined,
      background: fields['background'] === true ? true : undefined,
      omitsDocs: fields['omitClaudeMd'] === true ? true : undefined,
      isolation: fields['isolation'] === 'worktree' ? ('worktree' as const) : undefined,
      memory: memoryOf(fields['memory']),
    }),
    ...(servers === null || servers.size === 0 ? {} : { servers }),
  };
}

type FieldType = { readonly expected: string; readonly holds: (value: unknown) => boolean };

const TEXT: FieldType = { expected: 'a text', holds: (value) => typeof value === 'string' };
const TEXTS: FieldType = { expected: 'a list of names', holds: isTexts };
const COUNT: FieldType = {
  expected: 'a whole number above 0',
  holds: (value) => Number.isSafeInteger(value) && Number(value) > 0,
};

const FIELDS: Readonly<Record<string, FieldType>> = {
  description: TEXT,
  prompt: TEXT,
  tools: TEXTS,
  disallowedTools: TEXTS,
  model: TEXT,
  maxTurns: COUNT,
  autoCompactWindow: COUNT,
  effort: { expected: `${EFFORTS.join(', ')} or a whole number`, holds: (value) => effortNamed(value) !== undefined },
  skills: TEXTS,
  initialPrompt: TEXT,
  permissionMode: { expected: 'a permission mode', holds: (value) => modeOf(value) !== undefined },
  criticalSystemReminder_EXPERIMENTAL: TEXT,
  background: { expected: 'true or false', holds: (value) => typeof value === 'boolean' },
  memory: { expected: 'user, project or local', holds: (value) => memoryOf(value) !== undefined },
  omitClaudeMd: { expected: 'true or false', holds: (value) => typeof value === 'boolean' },
  isolation: { expected: 'worktree', holds: (value) => value === 'worktree' },
  mcpServers: { expected: 'a list of names and of servers by name', holds: (value) => serversOf(value) !== null },
};

const MEMORIES = ['user', 'project', 'local'] as const;

function memoryOf(value: unknown): AgentDefinition['memory'] {
  return MEMORIES.find((one) => one === value);
}

function serversOf(value: unknown): ReturnType<typeof writtenServers> {
  return writtenServers(value, { scope: 'flag', agent: 'claude-code', file: null, line: null, name: 'agents' });
}

const NO_EFFECT: Readonly<Record<string, string>> = {
  observer: 'agents are not observed by others',
  observerMessage: 'agents are not observed by others',
};

/** A mode that we lack asks about everything, like the one we start in. */
const MODES: Readonly<Record<string, PermissionMode>> = {
  default: 'default',
  manual: 'default',
  auto: 'default',
  acceptEdits: 'acceptEdits',
  plan: 'plan',
  dontAsk: 'dontAsk',
  bypassPermissions: 'bypassPermissions',
};

function modeOf(value: unknown): PermissionMode | undefined {
  return typeof value === 'string' && Object.hasOwn(MODES, value) ? MODES[value] : undefined;
}

/** Said, but asking for nothing. */
function isOff(value: unknown): boolean {
  return value === undefined || value === null || value === false;
}

function isTexts(value: unknown): value is ReadonlyArray<string> {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
