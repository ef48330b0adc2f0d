import type { Agent } from '@attractor/adapters';
import { failure, runConfigQuery, runConfigRoutes } from '@attractor/api';
import { explainRunConfig } from '@attractor/platform';
import { answer, found, refuse } from './answer.ts';
import type { ExplainConfig, Routes } from './context.ts';
import { decodeQuery } from './decode.ts';

export const runConfigHandlers: Routes = (app, { workflow, explainConfig }) => {
  app.get(runConfigRoutes.one, async (context) => {
    const query = decodeQuery(context, runConfigQuery);
    if (!query.ok) return refuse(context, query.error);
    const id = context.req.param('id');
    const project = await workflow.getProject(id);
    if (project === null) return found(context, null, `project ${id}`);
    if (explainConfig === null) return refuse(context, failure('unavailable', 'No agents are known to this server.'));
    return answer(context, await explainConfig(project, query.value.agentType));
  });
};

export type ConfigPlace = {
  readonly agents: ReadonlyArray<Agent>;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** The same five layers that a run is configured by, without those that only a run has. */
export function configExplainer({ agents, home, env }: ConfigPlace): ExplainConfig {
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
