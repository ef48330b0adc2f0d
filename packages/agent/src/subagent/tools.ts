import type { RegisteredTool, ToolContext, ToolResult } from '../types/index.ts';
import type { SpawnOrder } from './child.ts';
import type { Subagents } from './subagents.ts';

type Args = Readonly<Record<string, unknown>>;

type Row = {
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: ReadonlyArray<string>;
  readonly run: (agents: Subagents, args: Args, context: ToolContext | undefined) => ToolResult | Promise<ToolResult>;
};

const ID = { type: 'string', minLength: 1, maxLength: 64, description: 'The name of the agent, chosen by you.' };

const ROWS: ReadonlyArray<Row> = [
  {
    name: 'spawn_agent',
    description:
      'Starts another agent on a part of the work and returns at once. It has the same tools and files but knows nothing of this conversation: say all it needs.',
    properties: {
      id: ID,
      instruction: { type: 'string', minLength: 1, description: 'What it is to do, and what it is to report.' },
      model: { type: 'string', description: 'Another model than this one.' },
      max_turns: { type: 'integer', minimum: 1, description: 'How often it may think before it has to stop.' },
    },
    required: ['id', 'instruction'],
    run: (agents, args) => agents.spawn(orderOf(args)),
  },
  {
    name: 'send_input',
    description: 'Tells a running agent something more; it takes it up when it is done with what it does.',
    properties: { id: ID, message: { type: 'string', minLength: 1 } },
    required: ['id', 'message'],
    run: (agents, args) => agents.send(String(args['id']), String(args['message'])),
  },
  {
    name: 'wait',
    description: 'Waits until an agent is done and gives its last words: {output, success, turnsUsed}.',
    properties: { id: ID },
    required: ['id'],
    run: (agents, args, context) => agents.wait(String(args['id']), context?.signal),
  },
  {
    name: 'close_agent',
    description: 'Stops an agent that is no longer needed.',
    properties: { id: ID },
    required: ['id'],
    run: (agents, args) => agents.close(String(args['id'])),
  },
];

/**
 * They change nothing themselves (a child's own session asks for and records what it does), and keep their order in a batch, so that a wait
 * finds the agent that was started right before it.
 */
export function createSubagentTools(agents: Subagents): ReadonlyArray<RegisteredTool> {
  return ROWS.map(({ name, description, properties, required, run }) => ({
    definition: {
      name,
      description,
      parameters: { type: 'object', properties, required, additionalProperties: false },
    },
    executor: async (args, _env, context) => run(agents, args, context),
    readOnly: true,
    serial: true,
  }));
}

function orderOf(args: Args): SpawnOrder {
  return {
    id: String(args['id']),
    instruction: String(args['instruction']),
    ...(typeof args['model'] === 'string' ? { model: args['model'] } : {}),
    ...(typeof args['max_turns'] === 'number' ? { maxTurns: args['max_turns'] } : {}),
  };
}
