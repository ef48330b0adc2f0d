import type { AgentDefinition } from '@attractor/settings';

/** The agent of this name. Others write the names of theirs with capitals, such as `Explore`: that is meant if no name is exactly so. */
export function agentNamed(agents: ReadonlyArray<AgentDefinition>, name: string): AgentDefinition | undefined {
  const small = name.toLowerCase();
  return (
    agents.findLast((agent) => agent.name === name) ?? agents.findLast((agent) => agent.name.toLowerCase() === small)
  );
}
