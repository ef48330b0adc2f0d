import type { Agent } from '@attractor/adapters';
import { agentRoutes, type AgentInfo, type ToolInfo } from '@attractor/api';
import { describeTools } from '@attractor/tool-table';
import type { Routes } from './context.ts';

export const agentHandlers: Routes = (app, { agents }) => {
  app.get(agentRoutes.all, async (context) => context.json(await agents()));
  app.get(agentRoutes.tools, (context) => context.json(describeTools() satisfies ReadonlyArray<ToolInfo>));
};

/** Asks each whether it could start now. The first one is what starts where nobody chose. */
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
