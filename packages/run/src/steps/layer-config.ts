import type { RunContext } from '../run-context/run-context.ts';
import type { Result } from '@attractor/store';
import { explainRunConfig, type LayeredConfig } from '@attractor/project-config';

export function layerConfig({ services, project, request, state }: RunContext): Promise<Result<LayeredConfig>> {
  const isKnown = services.agents.has(state.run.agentType);
  return explainRunConfig({
    agents: services.agents,
    home: services.home,
    hostEnv: services.hostEnv,
    project,
    defaultAgentType: isKnown ? state.run.agentType : services.defaultAgentType,
    hookParams: request.hookParams,
    overrides: request.overrides,
  });
}
