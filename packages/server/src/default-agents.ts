import { existsSync } from 'node:fs';
import type { Agent } from '@attractor/adapters';
import type { PlatformWorkflow } from '@attractor/platform';
import { examineDefault, readHomeConfig, usualAgent } from '@attractor/project-config';
import type { ConfigPlace } from './run-config.ts';

/**
 * What is wrong with the agents that are the default of projects, a line for each mistake. Projects on other machines are theirs to judge,
 * and so is a program that is missing where this process leaves the work to others.
 */
export async function defaultAgentProblems(
  workflow: Pick<PlatformWorkflow, 'listProjects'>,
  { agents, home, env, isWorking }: ConfigPlace & { readonly isWorking: boolean },
): Promise<ReadonlyArray<string>> {
  const known = new Map<string, Agent>(agents.map((agent) => [agent.type, agent]));
  const problems = new Set<string>();
  for (const project of await workflow.listProjects()) {
    if (!existsSync(project.path)) continue;
    const { type, problem, message } = await examineDefault({ agents: known, home, hostEnv: env, project });
    if (problem === 'unknown') problems.add(`Tasks will be refused: ${message}`);
    if (problem === 'unavailable' && isWorking && !known.has(type ?? '')) problems.add(`Tasks will fail: ${message}`);
  }
  return [...problems];
}

/** Who is started if nobody names an agent: where no project says otherwise, and by the names of the projects of this machine. */
export type UsualAgents = {
  readonly everywhere: string;
  readonly inProjects: ReadonlyMap<string, ReadonlyArray<string>>;
};

export async function usualAgents(
  workflow: Pick<PlatformWorkflow, 'listProjects'>,
  { agents, home }: Pick<ConfigPlace, 'agents' | 'home'>,
): Promise<UsualAgents> {
  const read = await readHomeConfig(home);
  const everywhere = (read.ok ? read.value.defaultAgentType : null) ?? agents[0]?.type ?? 'native';
  const inProjects = new Map<string, string[]>();
  for (const project of await workflow.listProjects()) {
    const type = existsSync(project.path) ? ((await usualAgent({ home, project })) ?? everywhere) : null;
    if (type !== null) inProjects.set(type, [...(inProjects.get(type) ?? []), project.name]);
  }
  return { everywhere, inProjects };
}

/** The same for one folder, which need not be a project yet. Null: nobody chose one. */
export async function usualAgentIn(
  workflow: Pick<PlatformWorkflow, 'listProjects'>,
  { home, path }: { readonly home: string; readonly path: string },
): Promise<string | null> {
  const known = (await workflow.listProjects()).find((project) => project.path === path);
  return usualAgent({ home, project: known ?? { path, config: {} } });
}
