import type { Agent } from '@attractor/adapters';
import type { ServerParts } from '@attractor/api';
import { explainRunConfig } from '@attractor/project-config';

export type ConfigPlace = {
  readonly agents: ReadonlyArray<Agent>;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** The same five layers as for a run, without those that only a run has. */
export function configExplainer({ agents, home, env }: ConfigPlace): NonNullable<ServerParts['explainConfig']> {
  return async (project, agentType) => {
    const explained = await explainRunConfig({
      agents: new Map(agents.map((agent) => [agent.type, agent])),
      home,
      hostEnv: env,
      project,
      defaultAgentType: agents[0]?.type ?? 'native',
      ...(agentType === undefined ? {} : { overrides: { agentType } }),
    });
    if (!explained.ok) return explained;
    const { agent, config, origins, isProjectIgnored } = explained.value;
    const values = Object.entries(config).map(([name, value]) => ({ name, value, origin: origins[name] ?? null }));
    return { ok: true, value: { agentType: agent.type, values, isProjectIgnored } };
  };
}
