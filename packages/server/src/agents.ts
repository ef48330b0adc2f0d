import type { Agent } from '@attractor/adapters';
import type { AgentInfo } from '@attractor/api';
import type { UsualAgents } from './default-agents.ts';

/** Asks each whether it could start now. */
export function describeAgents(
  agents: ReadonlyArray<Agent>,
  { everywhere, inProjects }: UsualAgents,
): Promise<ReadonlyArray<AgentInfo>> {
  return Promise.all(
    agents.map(async (agent) => {
      const found = await agent.isAvailable();
      return {
        type: agent.type,
        displayName: agent.displayName,
        available: found.available,
        reason: found.available ? null : found.reason,
        isDefault: agent.type === everywhere,
        defaultIn: inProjects.get(agent.type) ?? [],
        defaults: agent.getDefaultConfig(),
      };
    }),
  );
}
