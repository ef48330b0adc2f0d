import {
  createLocalExecutionEnvironment,
  dispatchToolCalls,
  truncateToolOutput,
  type PendingToolCall,
} from '@attractor/agent';
import type { ToolConfig } from './tool-config.ts';
import type { OfferedTools } from './tools-of-profile.ts';

/** `output` is what a model sees; `full_output` is there when that was shortened. */
export type ToolAnswer = { readonly output: string; readonly is_error: boolean; readonly full_output?: string };

export type ToolRun = {
  readonly name: string;
  /** The text of one JSON object. */
  readonly input: string;
  readonly folder: string;
  readonly tools: OfferedTools;
  readonly config: ToolConfig;
  readonly signal: AbortSignal;
};

/** One call of one tool on a folder, as a session makes it. Never rejects for anything that a caller can mend. */
export async function runTool(run: ToolRun): Promise<ToolAnswer> {
  const environment = createLocalExecutionEnvironment(run.folder);
  const missing = await environment.initialize().then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (missing !== null) return { output: missing, is_error: true };
  try {
    const commandTimeoutMs = run.config.defaultCommandTimeout ?? run.tools.commandTimeoutMs;
    const [result] = await dispatchToolCalls([callOf(run)], run.tools.registry, environment, {
      parallel: false,
      context: { signal: run.signal, ...(commandTimeoutMs === undefined ? {} : { commandTimeoutMs }) },
    });
    const full = result?.output ?? '';
    const output = truncateToolOutput(full, run.name, run.config);
    return { output, is_error: result?.isError ?? true, ...(output === full ? {} : { full_output: full }) };
  } finally {
    await environment.cleanup();
  }
}

function callOf({ name, input, tools }: ToolRun): PendingToolCall {
  const call = { toolCallId: 'call', toolName: name, args: {} };
  try {
    const value: unknown = JSON.parse(input);
    if (!isRecord(value)) return { ...call, argsError: 'expected one JSON object' };
    return { ...call, args: named(value, tools.registry.get(name)?.definition.parameters) };
  } catch (error) {
    return { ...call, argsError: error instanceof Error ? error.message : String(error) };
  }
}

/** A profile may call the file of read_file `path`; the plain name is understood there too. */
function named(
  args: Readonly<Record<string, unknown>>,
  schema: Readonly<Record<string, unknown>> | undefined,
): Readonly<Record<string, unknown>> {
  const known = isRecord(schema?.['properties']) ? schema['properties'] : {};
  if (!Object.hasOwn(args, 'file_path') || Object.hasOwn(known, 'file_path') || !Object.hasOwn(known, 'path'))
    return args;
  const { file_path: file, ...others } = args;
  return { path: file, ...others };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
