import { createAcpAgent } from './acp.ts';
import { KNOWN_ACP_AGENTS } from './acp/known-agents.ts';
import type { Agent } from './agent.ts';
import { createClaudeCodeAgent } from './claude-code.ts';
import { createCodexAgent } from './codex.ts';
import { type ForeignAgentOptions, NO_DEFINITION } from './program/foreign-definition.ts';
import type { HostVariables } from './program/passed-on.ts';

/** How each kind of foreign agent is made, by the "type" of its definition. */
export const FOREIGN_KINDS: Readonly<Record<string, (options: ForeignAgentOptions) => Agent>> = {
  'claude-code': createClaudeCodeAgent,
  codex: createCodexAgent,
  acp: createAcpAgent,
};

/** The agents that need no definition to be known: each says itself whether it is installed, and what it lacks. */
export function knownForeignAgents(env: HostVariables): ReadonlyArray<Agent> {
  const bare = (type: string): ForeignAgentOptions => ({ type, definition: NO_DEFINITION, env });
  return [
    createClaudeCodeAgent(bare('claude-code')),
    createCodexAgent(bare('codex')),
    ...Object.keys(KNOWN_ACP_AGENTS).map((type) => createAcpAgent(bare(type))),
  ];
}
