import { isRecord } from '@attractor/base';
import type { ExecutionEnvironment, RegisteredTool, ToolResult } from '../types/index.ts';

type Arguments = Readonly<Record<string, unknown>>;
type Schema = Readonly<Record<string, unknown>>;

/**
 * How a profile shows one tool to its models. The tool stays the one implementation: it gets its own parameter names and
 * knows nothing of the surface. What a surface does not list, a model neither sees nor may send.
 */
export type ToolSurface = {
  /** Absent: the tool's own. */
  readonly name?: string;
  readonly description?: string;
  /** By the name that the model uses, in the order it sees them. */
  readonly parameters: Readonly<Record<string, SurfaceParameter>>;
  /** Asked with the model's own arguments before the tool runs; a result is the answer, and nothing runs. */
  readonly check?: (args: Arguments, env: ExecutionEnvironment) => Promise<ToolResult | null>;
};

export type SurfaceParameter = {
  /** The tool's own name for it. Absent: the same. */
  readonly is?: string;
  /** Laid over the tool's own schema for it; all of the schema where the tool has no such parameter. */
  readonly schema?: Schema;
  /** The value that the tool gets. Called with undefined where the model sent none; undefined sends none on. */
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
