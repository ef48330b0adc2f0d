import { defined } from '@attractor/base';
import { type ChildRights, parseRule } from '@attractor/policy';
import type { AgentPlace, Session, SessionOptions } from '../contract/session.ts';
import { toolsWhere } from '@attractor/tool-table';
import type { ProviderProfile, RegisteredTool } from '../types/index.ts';
import type { AgentDefinition } from '@attractor/settings';
import { mayUse, profileForAgent } from './agent-profile.ts';

/** What a model requests. Absent model and limit: the parent's. */
export type SpawnOrder = {
  readonly id: string;
  readonly instruction: string;
  readonly model?: string;
  readonly maxTurns?: number;
  /** The name of its type; absent: its parent's. A type that is no longer known starts nothing. */
  readonly agent?: string;
  /** The checkout that it works in alone. */
  readonly worktree?: string;
};

export type ChildOrder = SpawnOrder & { readonly childSessionId: string };

/** Creates the child's session, or resumes it from its journal. It does nothing yet. */
export type OpenChild = (order: ChildOrder, place: AgentPlace | null) => Session;

/** What a child of a type gets from its parent: never more than the parent has, and the same whenever it is opened. */
export type ChildMeans = Pick<SessionOptions, 'profile' | 'config' | 'toolSources' | 'profiles' | 'environment'> & {
  readonly rights: ChildRights;
};

type Parent = {
  readonly options: SessionOptions;
  readonly profile: ProviderProfile;
  readonly config: SessionOptions['config'];
};

/** Throws for an unknown type, because its rights are unknown too. */
export function childMeans(
  { options, profile, config: parents }: Parent,
  order: SpawnOrder,
  place: AgentPlace | null = null,
): ChildMeans {
  const { model, maxTurns } = order;
  const environment = place?.work?.environment ?? options.environment;
  const own = place?.work === undefined ? {} : { workingDirectory: environment.workingDirectory() };
  const ordered = { ...parents, ...own, model: model ?? parents.model, ...defined({ maxTurns }) };
  const { toolSources = [], profiles = [] } = options;
  if (order.agent === undefined) return { profile, config: ordered, environment, toolSources, profiles, rights: {} };
  const agent = options.agents?.findLast(({ name }) => name === order.agent);
  if (agent === undefined) throw new Error(`there is no agent ${order.agent} here any more`);
  const only = (tools: ReadonlyArray<RegisteredTool>): ReadonlyArray<RegisteredTool> =>
    tools.filter(({ definition }) => mayUse(agent, definition.name));
  const mine = (tools: ReadonlyArray<RegisteredTool>): ReadonlyArray<RegisteredTool> =>
    tools.filter(({ definition: { name } }) => place?.ownTools.includes(name) === true || mayUse(agent, name));
  const config = configOf(agent, ordered);
  const told = place === null || place.text === '' ? agent : { ...agent, prompt: `${agent.prompt}\n\n${place.text}` };
  return {
    profile: profileForAgent(profile, told),
    environment,
    config: STARTS_AGENTS.some((name) => mayUse(agent, name)) ? config : { ...config, maxSubagentDepth: 0 },
    toolSources: [
      ...toolSources.map((source) => ({ list: () => only(source.list()) })),
      ...(place?.toolSources ?? []).map((source) => ({ ...source, list: () => mine(source.list()) })),
    ],
    profiles: [],
    rights: rightsOf(agent, config.workingDirectory ?? environment.workingDirectory(), place),
  };
}

function configOf({ effort, window }: AgentDefinition, config: SessionOptions['config']): SessionOptions['config'] {
  return {
    ...config,
    ...defined({ reasoningEffort: effort }),
    ...(window === undefined ? {} : { contextWindowSize: Math.min(config.contextWindowSize ?? window, window) }),
  };
}

const STARTS_AGENTS = toolsWhere(({ rule }) => rule === 'Agent');

/** Throws for a limit that can't be parsed: without it the agent would have too many rights. */
function rightsOf(agent: AgentDefinition, root: string, place: AgentPlace | null): ChildRights {
  const { permissionMode, disallowedTools = [] } = agent;
  const tools = agent.tools === undefined ? undefined : [...agent.tools, ...(place?.ownTools ?? [])];
  const rules = disallowedTools.map((text) => {
    const parsed = parseRule(text, 'deny', { scope: 'session', file: null, line: null, root });
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.rule;
  });
  return {
    rules,
    ...defined({ tools, mode: permissionMode }),
    ...(place?.work === undefined ? {} : { place: { root, ...defined({ containment: place.work.containment }) } }),
  };
}
