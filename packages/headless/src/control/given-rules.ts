import type { AgentSession } from '@attractor/agent';
import { parseRule, type PermissionMode, type PermissionRule } from '@attractor/policy';

/** Rules that a program gives while the session runs. */
export type GivenRules = {
  readonly setRules: (rules: ReadonlyArray<PermissionRule>) => void;
  /** Calls of this server ask where the mode would let all of them through; false: no longer. */
  readonly askAbout: (server: string, isAsked: boolean) => void;
};

export function createGivenRules({
  giveRules,
  folder,
  servers,
}: Pick<AgentSession, 'giveRules' | 'folder' | 'servers'>): GivenRules {
  let rules: ReadonlyArray<PermissionRule> = [];
  const asked = new Set<string>();
  const now = (mode: PermissionMode): ReadonlyArray<PermissionRule> =>
    mode === 'bypassPermissions' ? [...rules, ...[...asked].flatMap(askRule)] : rules;
  const askRule = (server: string): ReadonlyArray<PermissionRule> => {
    const key = servers().find(({ name }) => name === server)?.key ?? server.replaceAll(/[^\w-]/g, '_');
    const parsed = parseRule(`mcp__${key}`, 'ask', { scope: 'flag', file: null, line: null, root: folder });
    return parsed.ok ? [parsed.rule] : [];
  };
  return {
    setRules: (next) => {
      rules = next;
      giveRules(now);
    },
    askAbout: (server, isAsked) => {
      if (isAsked) asked.add(server);
      else asked.delete(server);
      giveRules(now);
    },
  };
}
