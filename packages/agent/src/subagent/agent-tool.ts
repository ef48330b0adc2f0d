import { agentNamed } from './agent-named.ts';
import { defined } from '@attractor/base';
import type { RegisteredTool, SubagentResult, ToolDefinition, ToolResult } from '../types/index.ts';
import { answering, failure, optionalText, requiredText } from '../tools/arguments.ts';
import type { AgentDefinition } from '@attractor/settings';
import type { SpawnOrder } from './child.ts';
import type { Subagents } from './subagents.ts';
import type { OpenAgentPlace } from '../contract/session.ts';

/** Runs one agent from start to end and returns its last text. The signal ends it. */
export type RunAgent = (
  order: AgentOrder,
  signal: AbortSignal | undefined,
  /** Fires when nobody waits for it any more. */
  leaving?: AbortSignal,
) => Promise<ToolResult>;

/** A request to an agent of a type. `id` is that of the call. */
export type AgentOrder = Omit<SpawnOrder, 'agent'> & {
  readonly agent: AgentDefinition;
  readonly description?: string;
  /** Nobody waits: its report comes to the conversation when it is done. */
  readonly isBackground?: boolean;
};

export type AgentToolOptions = {
  /** Later ones win over earlier ones of the same name. Others may come. */
  readonly agents: ReadonlyArray<AgentDefinition>;
  readonly run: RunAgent;
};

/**
 * Hands a part of the work to an agent of a type and waits for its last text. It changes nothing itself (the agent's own session asks for
 * and records what it does), so several may run side by side.
 */
export function createAgentTool({ agents, run }: AgentToolOptions): RegisteredTool {
  const kindsNow = () => new Map(agents.map((agent) => [agent.name, agent]));
  return {
    get definition() {
      return definitionOf(kindsNow());
    },
    ownArguments: ({ subagent_type: name, ...rest }) => ({
      ...rest,
      ...(name === undefined
        ? {}
        : { subagent_type: typeof name === 'string' ? (agentNamed(agents, name)?.name ?? name) : name }),
    }),
    executor: answering(async (args, _env, context) => {
      const name = requiredText(args, 'subagent_type');
      const kinds = kindsNow();
      const agent = kinds.get(name);
      if (agent === undefined) return failure(`There is no agent ${name}. Known: ${[...kinds.keys()].join(', ')}.`);
      const model = optionalText(args, 'model') ?? agent.model;
      const description = optionalText(args, 'description');
      const isBackground = args['run_in_background'] === true || agent.background === true;
      const order: AgentOrder = {
        ...(isBackground ? { isBackground } : {}),
        id: (context?.toolCallId ?? name).slice(-MAX_ID),
        instruction: requiredText(args, 'prompt'),
        agent,
        ...defined({ description }),
        ...(model === undefined || model === 'inherit' ? {} : { model }),
        ...defined({ maxTurns: agent.maxTurns }),
      };
      return run(order, context?.signal, isBackground ? undefined : context?.leaving?.());
    }),
    readOnly: true,
  };
}

function definitionOf(kinds: ReadonlyMap<string, AgentDefinition>): ToolDefinition {
  const rows = [...kinds.values()].map(({ name, description }) => `- ${name}: ${description}`);
  return {
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
        run_in_background: { type: 'boolean', description: 'Go on without waiting; its report comes by itself.' },
      },
      required: ['description', 'prompt', 'subagent_type'],
      additionalProperties: false,
    },
  };
}

/** The longest id that the tools for talking to agents accept. */
const MAX_ID = 60;

/**
 * Runs agents as children of a session, each under the id of its call; some servers reuse ids. If the wait for an agent is ended, the agent
 * is stopped: nobody would read its report.
 */
export function runAsChildren(subagents: () => Children, openPlace?: OpenAgentPlace): RunAgent {
  return async (order, signal, leaving) => {
    const { description: _shown, isBackground, agent, ...rest } = order;
    const opened = (await openPlace?.(agent)) ?? null;
    if (opened?.ok === false) return failure(`The agent ${agent.name} was not started. ${opened.error.message}`);
    const place = opened?.value ?? null;
    const id = freeId(order.id, subagents().has);
    const where = defined({ worktree: place?.worktree });
    const started =
      place !== null && signal?.aborted === true
        ? failure(`The agent ${agent.name} was not started: the work was stopped.`)
        : subagents().spawn({ ...rest, id, agent: agent.name, ...where }, place);
    if (started.isError) {
      await place?.end(true);
      return started;
    }
    const left = { output: `The agent ${agent.name} is at work as ${id}. Its report comes by itself.`, isError: false };
    const waited = isBackground === true ? null : await unlessLeft(subagents().wait(id, signal), leaving);
    if (waited === null) {
      subagents().leave(id);
      return left;
    }
    if (signal?.aborted === true) await subagents().close(id);
    return waited.isError ? waited : report(order, JSON.parse(waited.output));
  };
}

/** Null: nobody waits any more. */
function unlessLeft(waited: Promise<ToolResult>, leaving: AbortSignal | undefined): Promise<ToolResult | null> {
  if (leaving === undefined) return waited;
  const { promise: left, resolve } = Promise.withResolvers<null>();
  leaving.addEventListener('abort', () => resolve(null), { once: true });
  return Promise.race([waited, left]);
}

type Children = Pick<Subagents, 'has' | 'spawn' | 'wait' | 'close' | 'leave'>;

function freeId(wanted: string, isTaken: (id: string) => boolean): string {
  let id = wanted;
  for (let more = 2; isTaken(id); more++) id = `${wanted}-${more}`;
  return id;
}

function report({ agent }: AgentOrder, { output, success, turnsUsed }: SubagentResult): ToolResult {
  const said = output === '' ? `The agent ${agent.name} said nothing.` : output;
  return success
    ? { output: said, isError: false }
    : failure(`The agent ${agent.name} did not finish (${turnsUsed} rounds):\n${said}`);
}
