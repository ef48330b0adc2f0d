import { existsSync } from 'node:fs';
import type { Agent } from '@attractor/adapters';
import type { PlatformWorkflow } from '@attractor/platform';
import { unknownDefault } from '@attractor/project-config';
import type { ConfigPlace } from './run-config.ts';

/** What is wrong with the agents that files make the default, a line for each mistake. Projects on other machines are theirs to judge. */
export async function defaultAgentProblems(
  workflow: Pick<PlatformWorkflow, 'listProjects'>,
  { agents, home, env }: ConfigPlace,
): Promise<ReadonlyArray<string>> {
  const known = new Map<string, Agent>(agents.map((agent) => [agent.type, agent]));
  const problems = new Set<string>();
  for (const project of await workflow.listProjects()) {
    if (!existsSync(project.path)) continue;
    const unknown = await unknownDefault({ agents: known, home, hostEnv: env, project });
    if (unknown !== null) problems.add(unknown.error.message);
  }
  return [...problems];
}
