import type { Agent, AgentConfig } from '@attractor/adapters';
import { followedConfig, pickAgentConfig, readHomeAgents, type ProjectConfig } from '../checks/project-config.ts';
import { done, refuse } from '../refusal.ts';
import type { Result } from '../workflow-contract.ts';
import type { RunContext } from './run-context.ts';

/** The agent of a run and its configuration, with the layer that each value came from. */
export type LayeredConfig = {
  readonly agent: Agent;
  readonly config: AgentConfig;
  readonly origins: Readonly<Record<string, string>>;
  readonly project: ProjectConfig;
  /** What the project says about agents is not followed, because nobody trusted it. */
  readonly isProjectIgnored: boolean;
};

/** Five layers, later ones win: the agent's own, the person's, the project's (where a person trusted it), the hook's, the run's. */
export async function layerConfig(context: RunContext): Promise<Result<LayeredConfig>> {
  const { services, project, request } = context;
  const projectConfig = followedConfig(project.path, services);
  if (!projectConfig.ok) return projectConfig;
  const home = await readHomeAgents(services.home);
  if (!home.ok) return home;
  const trusted = projectConfig.value.trust === 'trusted' ? projectConfig.value : null;
  const type = chooseAgentType(context, trusted);
  const agent = services.agents.get(type);
  if (agent === undefined) {
    return refuse(
      'unavailable',
      `There is no agent "${type}" here; known are ${[...services.agents.keys()].join(', ') || 'none'}.`,
    );
  }
  const layers: ReadonlyArray<readonly [string, AgentConfig]> = [
    ['agent', agent.getDefaultConfig()],
    ['home', home.value[type] ?? {}],
    ['project', trusted?.agents[type] ?? {}],
    ['hook', pickAgentConfig(request.hookParams)],
    ['run', pickAgentConfig(request.overrides)],
  ];
  const { agents, defaultAgentType } = projectConfig.value;
  const isProjectIgnored = trusted === null && (defaultAgentType !== null || Object.keys(agents).length > 0);
  return done({ agent, ...merge(layers), project: projectConfig.value, isProjectIgnored });
}

function chooseAgentType({ services, request, state }: RunContext, config: ProjectConfig | null): string {
  const asked = request.overrides.agentType ?? request.hookParams['agentType'];
  if (typeof asked === 'string') return asked;
  return (
    config?.defaultAgentType ??
    (services.agents.has(state.run.agentType) ? state.run.agentType : services.defaultAgentType)
  );
}

function merge(layers: ReadonlyArray<readonly [string, AgentConfig]>): Pick<LayeredConfig, 'config' | 'origins'> {
  const config: AgentConfig = Object.assign({}, ...layers.map(([, layer]) => layer));
  const origins: Record<string, string> = {};
  for (const [name, layer] of layers) for (const key of Object.keys(layer)) origins[key] = name;
  return { config, origins };
}
