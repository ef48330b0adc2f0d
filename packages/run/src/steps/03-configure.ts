import { eventOf, type RunContext, type StepOutcome, type StepResults } from '../run-context/run-context.ts';
import { layerConfig } from './layer-config.ts';
import { countForAgent, type Tx } from '@attractor/store';

/** Decides which agent runs with which configuration, and records where each value came from. */
export async function configure(context: RunContext): Promise<StepOutcome<StepResults['configure']>> {
  const layered = await layerConfig(context);
  if (!layered.ok) return { failure: { code: 'environment', message: layered.error.message } };
  const { agent, config, origins, isProjectIgnored } = layered.value;
  const available = await agent.isAvailable();
  if (!available.available)
    return {
      failure: {
        code: 'environment',
        agentCode: 'unavailable',
        message: `${agent.displayName} can't run here: ${available.reason}`,
      },
    };
  return {
    result: { agentType: agent.type, config, origins },
    run: { agentType: agent.type, model: config.model ?? context.state.run.model },
    // A file may have named another agent than was known when the run was put into the queue.
    ...(agent.type === context.state.run.agentType
      ? {}
      : { commit: (tx: Tx) => countForAgent(tx, context.state.run.id) }),
    events: [
      eventOf(context, {
        type: 'run.configured',
        level: 'debug',
        summary: `${agent.displayName}${config.model === undefined ? '' : ` with ${config.model}`}`,
        data: { config, origins },
      }),
      ...(isProjectIgnored ? [untrusted(context)] : []),
    ],
  };
}

function untrusted(context: RunContext) {
  const summary =
    "The project's settings for agents are not followed, because nobody has trusted them yet. Trust the project's configuration to use them.";
  return eventOf(context, { type: 'run.config_untrusted', level: 'warning', summary });
}
