import { type RegisteredTool, validateArguments } from '@attractor/agent';
import { defined, isRecord } from '@attractor/base';

const NAME = 'structured_output';

type Fields = Readonly<Record<string, unknown>>;

/** The final answer as a value: a tool whose arguments must match the given schema. */
export type StructuredOutput = {
  readonly tool: RegisteredTool;
  /** Undefined until the model gave one. */
  readonly value: () => unknown;
  /** Takes a final text that is exactly a value that fits. */
  readonly take: (text: string) => Promise<void>;
  /** Another prompt needs another answer. */
  readonly forget: () => void;
  readonly isTool: (toolName: string) => boolean;
  readonly reminder: string;
};

/** Null when no schema was given. */
export function createStructuredOutput(schema: Fields | undefined): StructuredOutput | null {
  if (schema === undefined) return null;
  const isWrapped = !isOfObjects(schema);
  const whole = isWrapped ? wrapped(schema) : { ...schema, type: 'object' };
  let value: unknown;
  const tool: RegisteredTool = {
    definition: {
      name: NAME,
      description: 'Gives the final answer. Call it once, when the work is done, with arguments that fit its schema.',
      parameters: whole,
    },
    executor: async (args) => {
      value = isWrapped ? args[ANSWER] : args;
      return 'The answer was taken.';
    },
    readOnly: true,
  };
  return {
    tool,
    value: () => value,
    take: async (text) => {
      const said = value === undefined ? jsonIn(text) : undefined;
      const args = isWrapped ? { [ANSWER]: said } : said;
      if (said !== undefined && isRecord(args) && (await validateArguments(tool.definition, args)).length === 0)
        value = said;
    },
    forget: () => {
      value = undefined;
    },
    isTool: (toolName) => toolName === NAME,
    reminder: `Call ${NAME} now with your final answer; its arguments must fit the tool's schema.`,
  };
}

const ANSWER = 'answer';

/** A text that is JSON as a whole, also in a fence; undefined: it is not. */
function jsonIn(text: string): unknown {
  const [, fenced] = /^\s*```(?:json)?\n([^]*?)\n```\s*$/.exec(text) ?? [];
  try {
    return JSON.parse(fenced ?? text);
  } catch {
    return undefined;
  }
}

/** Services accept only objects as arguments: any other value becomes a field of one. */
function wrapped(schema: Fields): Fields {
  const { $defs, definitions, $schema: _dialect, ...answer } = schema;
  return {
    type: 'object',
    properties: { [ANSWER]: answer },
    required: [ANSWER],
    additionalProperties: false,
    ...defined({ $defs, definitions }),
  };
}

function isOfObjects({ type, properties }: Fields): boolean {
  return type === 'object' || (type === undefined && properties !== undefined);
}

const TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

/** What is wrong with a schema, as far as its types show, or null. */
export function schemaProblem(schema: Fields): string | null {
  const { type, properties, items } = schema;
  for (const name of Array.isArray(type) ? type : type === undefined ? [] : [type]) {
    if (typeof name !== 'string' || !TYPES.includes(name))
      return `${JSON.stringify(name)} is not a type of a JSON Schema (${TYPES.join(', ')})`;
  }
  const inner = [...(isRecord(properties) ? Object.values(properties) : []), items].filter(isRecord);
  return inner.map(schemaProblem).find((problem) => problem !== null) ?? null;
}
