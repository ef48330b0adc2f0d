import type { RegisteredTool } from '@attractor/agent';

const NAME = 'structured_output';

/** The final answer as a value: a tool whose arguments must fit the given schema. */
export type StructuredOutput = {
  readonly tool: RegisteredTool;
  readonly value: () => unknown;
  readonly isTool: (toolName: string) => boolean;
  readonly reminder: string;
};

/** Null when no schema was given. */
export function createStructuredOutput(schema: object | undefined): StructuredOutput | null {
  if (schema === undefined) return null;
  let value: unknown;
  const tool: RegisteredTool = {
    definition: {
      name: NAME,
      description: 'Gives the final answer. Call it once, when the work is done, with arguments that fit its schema.',
      parameters: { ...schema },
    },
    executor: async (args) => {
      value = args;
      return 'The answer was taken.';
    },
    readOnly: true,
  };
  return {
    tool,
    value: () => value,
    isTool: (toolName) => toolName === NAME,
    reminder: `Call ${NAME} now with your final answer; its arguments must fit the tool's schema.`,
  };
}
