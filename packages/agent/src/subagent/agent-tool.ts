import type { RegisteredTool, SubagentResult, ToolResult } from '../types/index.ts';
import { answering, failure, optionalText, requiredText } from '../tools/arguments.ts';
import type { AgentDefinition } from './agent-definition.ts';
import type { SpawnOrder } from './child.ts';
import type { Subagents } from './subagents.ts';

/** Runs one agent from its first word to its last, and gives that. It ends with the signal. */
export type RunAgent = (order: AgentOrder, signal: AbortSignal | undefined) => Promise<ToolResult>;

/** What is asked of an agent of a kind. `id` tells it from all others of the session. */
export type AgentOrder = Omit<SpawnOrder, 'agent'> & { readonly agent: AgentDefinition; readonly description?: string };

export type AgentToolOptions = {
  /** Later ones win over earlier ones of the same name. */
  readonly agents: ReadonlyArray<AgentDefinition>;
  readonly run: RunAgent;
};

/**
 * Hands a part of the work to an agent of a kind and waits for its last words. It changes nothing itself (what the agent does is
 * asked for and recorded by the agent's own session), so that several may work side by side.
 */
export function createAgentTool({ agents, run }: AgentToolOptions): RegisteredTool {
  const kinds = new Map(agents.map((agent) => [agent.name, agent]));
  const rows = [...kinds.values()].map(({ name, description }) => `- ${name}: ${description}`);
  return {
    definition: {
      name: 'task',
      description: [
        'Gives a part of the work to another agent, waits until it is done, and shows its report. The agent knows nothing of this conversation: say all it needs. Several calls in one turn work side by side. Kinds of agents:',
        ...rows,
      ].join('\n'),
      parameters: {
        type: 'object',
        properties: {
          description: { type: 'string', description: 'The work in three to five words, for the person.' },
          prompt: { type: 'string', minLength: 1, description: 'What it is to do, and what it is to report.' },
          subagent_type: { type: 'string', enum: [...kinds.keys()], description: 'The kind of agent.' },
          model: { type: 'string', description: 'Another model than the one it would have.' },
        },
        required: ['description', 'prompt', 'subagent_type'],
        additionalProperties: false,
      },
    },
    executor: answering(async (args, _env, context) => {
      const name = requiredText(args, 'subagent_type');
      const agent = kinds.get(name);
      if (agent === undefined) return failure(`There is no agent ${name}. Known: ${[...kinds.keys()].join(', ')}.`);
      const model = optionalText(args, 'model') ?? agent.model;
      const description = optionalText(args, 'description');
      const order: AgentOrder = {
        id: `${name}-${context?.toolCallId ?? ''}`.slice(-64),
        instruction: requiredText(args, 'prompt'),
        agent,
        ...(description === undefined ? {} : { description }),
        ...(model === undefined || model === 'inherit' ? {} : { model }),
        ...(agent.maxTurns === undefined ? {} : { maxTurns: agent.maxTurns }),
      };
      return run(order, context?.signal);
    }),
    readOnly: true,
  };
}

/** Runs agents as children of a session. One whose wait was ended is stopped: nobody would read its report. */
export function runThrough(subagents: () => Pick<Subagents, 'spawn' | 'wait' | 'close'>): RunAgent {
  return async (order, signal) => {
    const { description: _shown, agent, ...rest } = order;
    const started = subagents().spawn({ ...rest, agent: agent.name });
    if (started.isError) return started;
    const waited = await subagents().wait(order.id, signal);
    if (signal?.aborted === true) await subagents().close(order.id);
    return waited.isError ? waited : report(order, JSON.parse(waited.output));
  };
}

function report({ agent }: AgentOrder, { output, success, turnsUsed }: SubagentResult): ToolResult {
  const said = output === '' ? `The agent ${agent.name} said nothing.` : output;
  return success
    ? { output: said, isError: false }
    : failure(`The agent ${agent.name} did not finish (${turnsUsed} rounds):\n${said}`);
}
