import { defined, isRecord, messageOf } from '@attractor/base';
import {
  createLocalExecutionEnvironment,
  dispatchToolCalls,
  hideSecrets,
  type PendingToolCall,
  type ToolRegistry,
  truncateToolOutput,
} from '@attractor/agent';
import { ownNameOf } from '@attractor/tool-table';
import type { ToolConfig } from './tool-config.ts';
import type { OfferedTools } from './tools-of-profile.ts';

/** `output` is what a model sees; `full_output` is present if that was shortened. */
export type ToolAnswer = { readonly output: string; readonly is_error: boolean; readonly full_output?: string };

export type ToolRun = {
  readonly name: string;
  /** The text of one JSON object. */
  readonly input: string;
  readonly folder: string;
  /** The folder of our own state: no tool reads or changes it. */
  readonly home: string;
  readonly tools: OfferedTools;
  readonly config: ToolConfig;
  readonly signal: AbortSignal;
};

/** One call of one tool on a folder, as a session makes it. Never rejects for anything that a caller can fix. */
export async function runTool(run: ToolRun): Promise<ToolAnswer> {
  const environment = hideSecrets(createLocalExecutionEnvironment(run.folder), { denyRead: [run.home] });
  const missing = await environment.initialize().then(
    () => null,
    (error: unknown) => messageOf(error),
  );
  if (missing !== null) return { output: missing, is_error: true };
  try {
    const commandTimeoutMs = run.config.defaultCommandTimeout ?? run.tools.commandTimeoutMs;
    const call = known(callOf(run), run.tools);
    const [result] = await dispatchToolCalls([call], registryFor(call, run.tools), environment, {
      parallel: false,
      context: { signal: run.signal, ...defined({ commandTimeoutMs }) },
    });
    const full = result?.output ?? '';
    const output = truncateToolOutput(full, run.name, run.config);
    return { output, is_error: result?.isError ?? true, ...(output === full ? {} : { full_output: full }) };
  } finally {
    await environment.cleanup();
  }
}

function callOf({ name, input }: ToolRun): PendingToolCall {
  const call = { toolCallId: 'call', toolName: name, args: {} };
  try {
    const args: unknown = JSON.parse(input);
    return isRecord(args) ? { ...call, args } : { ...call, argsError: 'expected one JSON object' };
  } catch (error) {
    return { ...call, argsError: messageOf(error) };
  }
}

/** A family's name for a tool means that tool, unless the profile itself has one of that name. */
function known(call: PendingToolCall, { plain, shown }: OfferedTools): PendingToolCall {
  const isKnown = [shown, plain].some((registry) => (registry?.get(call.toolName) ?? null) !== null);
  return isKnown ? call : { ...call, toolName: ownNameOf(call.toolName) };
}

/** The profile's own tool, unless it lacks the tool or the call uses the tool's plain names. */
function registryFor({ toolName, args }: PendingToolCall, { plain, shown }: OfferedTools): ToolRegistry {
  if (shown === null || shown.get(toolName) === null) return plain;
  const isPlain = !speaks(shown, toolName, args) && speaks(plain, toolName, args);
  return isPlain ? plain : shown;
}

function speaks(registry: ToolRegistry, name: string, args: PendingToolCall['args']): boolean {
  const known = registry.get(name)?.definition.parameters['properties'];
  return isRecord(known) && Object.keys(args).every((key) => Object.hasOwn(known, key));
}
