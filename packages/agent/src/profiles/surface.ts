import { isRecord } from '@attractor/base';
import type { ExecutionEnvironment, RegisteredTool, ToolResult } from '../types/index.ts';

type Arguments = Readonly<Record<string, unknown>>;
type Schema = Readonly<Record<string, unknown>>;

/**
 * How a profile presents one tool to its models. There is still one implementation: it gets its own parameter names and knows nothing of
 * the surface. A model neither sees nor may send a parameter that the surface does not list.
 */
export type ToolSurface = {
  /** Absent: the tool's own. */
  readonly name?: string;
  readonly description?: string;
  /** By the name that the model uses, in the order it sees them. */
  readonly parameters: Readonly<Record<string, SurfaceParameter>>;
  /** Called with the model's own arguments before the tool runs. If it returns a result, that is the answer and nothing runs. */
  readonly check?: (args: Arguments, env: ExecutionEnvironment) => Promise<ToolResult | null>;
};

export type SurfaceParameter = {
  /** The tool's own name for the parameter. Absent: the same. */
  readonly is?: string;
  /** Merged over the tool's own schema for the parameter; the whole schema if the tool has no such parameter. */
  readonly schema?: Schema;
  /** Converts to the value that the tool gets. Called with undefined if the model sent none; returning undefined sends none. */
  readonly convert?: (value: unknown, args: Arguments) => unknown;
};

/** The tool as a model of this profile sees and calls it. */
export function showAs(tool: RegisteredTool, surface: ToolSurface): RegisteredTool {
  const { name = tool.definition.name, description = tool.definition.description, check } = surface;
  return {
    ...tool,
    definition: { name, description, parameters: parametersOf(tool, surface) },
    executor: async (args, env, context) => {
      const refusal = (await check?.(args, env)) ?? null;
      return refusal ?? tool.executor(ownArguments(args, surface), env, context);
    },
  };
}

function parametersOf(tool: RegisteredTool, { parameters }: ToolSurface): Schema {
  const { properties, required, ...rest } = tool.definition.parameters;
  const own = isRecord(properties) ? properties : {};
  const needed: ReadonlyArray<unknown> = Array.isArray(required) ? required : [];
  const shown = Object.entries(parameters).map(([name, parameter]) => ({ name, is: parameter.is ?? name, parameter }));
  return {
    ...rest,
    properties: Object.fromEntries(
      shown.map(({ name, is, parameter }) => {
        const schema = own[is];
        return [name, { ...(isRecord(schema) ? schema : {}), ...parameter.schema }];
      }),
    ),
    required: shown.filter(({ is }) => needed.includes(is)).map(({ name }) => name),
  };
}

function ownArguments(args: Arguments, { parameters }: ToolSurface): Arguments {
  const entries = Object.entries(parameters).map(([name, { is = name, convert }]) => {
    const value = args[name];
    return [is, convert === undefined ? value : convert(value, args)] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
