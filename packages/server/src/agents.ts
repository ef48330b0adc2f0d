import type { Agent } from '@attractor/adapters';
import type { AgentInfo } from '@attractor/api';
import { agentsOfPerson } from '@attractor/project-config';
import type { UsualAgents } from './default-agents.ts';
import type { ConfigPlace } from './run-config.ts';

/** Asks each whether it could start now. With a file that can't be followed none can, and each says so. */
export async function describeAgents(
  { agents, home, env }: ConfigPlace,
  usual: UsualAgents,
): Promise<ReadonlyArray<AgentInfo>> {
  const given = agents.map(({ type }) => type);
  const further = await agentsOfPerson(home, env, given);
  const all = further.ok ? [...agents, ...further.value] : agents;
  const [problem = null] = further.ok ? [] : further.error.message.split('\n');
  return Promise.all(all.map((agent) => describeAgent(agent, { ...usual, problem })));
}

async function describeAgent(
  agent: Agent,
  { everywhere, inProjects, problem }: UsualAgents & { readonly problem: string | null },
): Promise<AgentInfo> {
  const found = problem === null ? await agent.isAvailable() : { available: false as const, reason: problem };
  return {
    type: agent.type,
    displayName: agent.displayName,
    available: found.available,
    reason: found.available ? null : found.reason,
    isDefault: agent.type === everywhere,
    defaultIn: inProjects.get(agent.type) ?? [],
    defaults: agent.getDefaultConfig(),
  };
}
