import type { Agent } from '@attractor/adapters';
import type { AgentInfo } from '@attractor/api';

/** Asks each whether it could start now. The first one is the default. */
export function describeAgents(agents: ReadonlyArray<Agent>): Promise<ReadonlyArray<AgentInfo>> {
  return Promise.all(
    agents.map(async (agent, index) => {
      const found = await agent.isAvailable();
      return {
        type: agent.type,
        displayName: agent.displayName,
        available: found.available,
        reason: found.available ? null : found.reason,
        isDefault: index === 0,
        defaults: agent.getDefaultConfig(),
      };
    }),
  );
}
