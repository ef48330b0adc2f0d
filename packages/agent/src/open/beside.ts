import { statSync } from 'node:fs';
import path from 'node:path';
import { done, failed } from '@attractor/base';
import type { Mcp } from '@attractor/mcp';
import type { LivePolicy } from '@attractor/policy';
import type { AgentDefinition } from '@attractor/settings';
import { hostVariables } from '@attractor/system';
import type { Hooks } from '../hooks/hooks.ts';
import type { Session } from '../contract/session.ts';
import { bytesIfAllowed } from '../skills/guarded-ports.ts';
import type { ExecutionEnvironment } from '../types/index.ts';
import { BUILT_IN_AGENTS } from '../subagent/built-in-agents.ts';
import type { AgentSessionOptions, Beside } from './agent-session.ts';
import type { SessionFiles } from './session-files.ts';

export type BesideParts = {
  /** What is there once the session is. */
  readonly lent: { readonly session: Session | null; readonly mcp: Mcp | null };
  readonly policy: LivePolicy;
  readonly environment: ExecutionEnvironment;
  readonly files: SessionFiles;
  readonly hooks: () => Hooks | null;
  /** Makes the tools anew that give a model the texts of files. */
  readonly renew: () => void;
  /** The types of agents, which the session shares. */
  readonly agents: AgentDefinition[];
};

/** Later ones win over earlier ones of the same name. */
export function agentsOf({ agents = [] }: AgentSessionOptions, files: SessionFiles): AgentDefinition[] {
  return [...BUILT_IN_AGENTS, ...files.agents(), ...agents];
}

export function besideOf(options: AgentSessionOptions, parts: BesideParts): Beside {
  const { lent, policy, environment, files, hooks } = parts;
  let ofProgram = options.hooks ?? [];
  const readAgain = async (which: 'skills' | 'all', folders?: ReadonlyArray<string>): Promise<string | null> => {
    const now = await files.readAgain(which, folders);
    if (typeof now === 'string') return now;
    hooks()?.renew(now.hooks.gone, now.hooks.come);
    parts.renew();
    if (which === 'skills') return null;
    parts.agents.splice(0, parts.agents.length, ...agentsOf(options, files));
    const { readWritten } = await import('./session-servers.ts');
    const come = readWritten(now.servers.come, options.setup?.env ?? hostVariables()).flatMap((read) => read.servers);
    await lent.mcp?.changes.exchange(now.servers.gone, come);
    return null;
  };
  return {
    giveRules: policy.give,
    renewHooks: (definitions) => {
      hooks()?.renew(ofProgram, definitions);
      ofProgram = definitions;
    },
    readFile: (file) => bytesIfAllowed(file, { policy: policy.current(), environment }),
    countAsRead: async (file, mtimeMs) => {
      const at = path.resolve(environment.workingDirectory(), file);
      const now = statSync(at, { throwIfNoEntry: false });
      if (now !== undefined && Math.floor(now.mtimeMs) <= mtimeMs) await lent.session?.countAsRead(file);
    },
    readResource: async (server, uri) => {
      const found = lent.mcp?.servers().find(({ name }) => name === server);
      const refused = (message: string) => failed({ code: 'refused', message, retryable: false });
      if (found === undefined) return refused(`there is no MCP server ${server} here.`);
      if (policy.current().hides(`mcp__${found.key}__read_resource`))
        return refused(`a rule denies the MCP server ${server}.`);
      return (await lent.mcp?.readResource(server, uri)) ?? done([]);
    },
    setStyle: (name) => {
      if (!files.chooseStyle(name)) return false;
      lent.session?.renewText();
      return true;
    },
    readSkillsAgain: () => readAgain('skills'),
    readPluginsAgain: (folders) => readAgain('all', folders),
  };
}
