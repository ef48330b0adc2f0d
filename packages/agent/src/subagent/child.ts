import { defined } from '@attractor/base';
import { type ChildRights, parseRule } from '@attractor/policy';
import type { Session, SessionOptions } from '../contract/session.ts';
import { toolsWhere } from '@attractor/tool-table';
import type { ProviderProfile, RegisteredTool } from '../types/index.ts';
import type { AgentDefinition } from '@attractor/settings';
import { mayUse, profileForAgent } from './agent-profile.ts';

/** What a model asks for. Absent model and limit: the parent's. */
export type SpawnOrder = {
  readonly id: string;
  readonly instruction: string;
  readonly model?: string;
  readonly maxTurns?: number;
  /** The name of its kind; absent: it is of its parent's. A kind that is no longer known starts nothing. */
  readonly agent?: string;
};

export type ChildOrder = SpawnOrder & { readonly childSessionId: string };

/** Makes the child's session, or goes on with the one that its journal holds. It does nothing yet. */
export type OpenChild = (order: ChildOrder) => Session;

/** What a child of a kind has of its parent's: never more, and the same again whenever it is opened. */
export type ChildMeans = Pick<SessionOptions, 'profile' | 'config' | 'toolSources' | 'profiles'> & {
  readonly rights: ChildRights;
};

type Parent = {
  readonly options: SessionOptions;
  readonly profile: ProviderProfile;
  readonly config: SessionOptions['config'];
};

/** Throws for a kind that is not known here: what it may do is not known either. */
export function childMeans({ options, profile, config: parents }: Parent, order: SpawnOrder): ChildMeans {
  const { model, maxTurns } = order;
  const config = { ...parents, model: model ?? parents.model, ...defined({ maxTurns }) };
  const { toolSources = [], profiles = [] } = options;
  if (order.agent === undefined) return { profile, config, toolSources, profiles, rights: {} };
  const agent = options.agents?.findLast(({ name }) => name === order.agent);
  if (agent === undefined) throw new Error(`there is no agent ${order.agent} here any more`);
  const only = (tools: ReadonlyArray<RegisteredTool>): ReadonlyArray<RegisteredTool> =>
    tools.filter(({ definition }) => mayUse(agent, definition.name));
  return {
    profile: profileForAgent(profile, agent),
    config: STARTS_AGENTS.some((name) => mayUse(agent, name)) ? config : { ...config, maxSubagentDepth: 0 },
    toolSources: toolSources.map((source) => ({ list: () => only(source.list()) })),
    profiles: [],
    rights: rightsOf(agent, config.workingDirectory ?? options.environment.workingDirectory()),
  };
}

const STARTS_AGENTS = toolsWhere(({ rule }) => rule === 'Agent');

/** Throws for a limit that can't be read: an agent without it would have too much. */
function rightsOf({ tools, permissionMode, disallowedTools = [] }: AgentDefinition, root: string): ChildRights {
  const rules = disallowedTools.map((text) => {
    const parsed = parseRule(text, 'deny', { scope: 'session', file: null, line: null, root });
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.rule;
  });
  return {
    rules,
    ...defined({ tools, mode: permissionMode }),
  };
}
