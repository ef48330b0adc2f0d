import { messageOf } from '@attractor/base';
import type { ExecutionEnvironment, RegisteredTool, ToolContext, ToolRegistry, ToolResult } from '../types/index.ts';
import { validateArguments } from './validate.ts';

export type PendingToolCall = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Why the model's text is not a JSON object. Such a call never runs. */
  readonly argsError?: string;
};

/** Null: it runs. A result: it does not. `halt`: it is left without a result. `args`: it runs with these, and the note tells the model. */
export type Permission = ToolResult | 'halt' | null | { readonly args: PendingToolCall['args']; readonly note: string };

/** The result of a call; results come in the order of the calls. */
export type ToolCallResult = ToolResult & { readonly toolCallId: string };

export type DispatchOptions = {
  readonly parallel: boolean;
  readonly context?: Omit<ToolContext, 'toolCallId' | 'onOutput' | 'leaving'>;
  readonly leaving?: (toolCallId: string) => AbortSignal;
  readonly onOutput?: (call: PendingToolCall, text: string) => void;
  /** Called between validation and execution; a refusal is the result. `halt` leaves the call without one: nothing starts or ends. */
  readonly permit?: (call: PendingToolCall, tool: RegisteredTool) => Promise<Permission>;
  /** Awaited right before a tool runs (`tool` given) or is refused (null). Nothing runs until it returns. */
  readonly onStart?: (call: PendingToolCall, tool: RegisteredTool | null) => Promise<void>;
  readonly onEnd?: (call: PendingToolCall, result: ToolCallResult) => Promise<void>;
};

/**
 * Runs the calls of one model turn: look up, validate, permit, execute, catch. Never rejects; every call has exactly one result (unless
 * halted), in the order of the calls. A repeated id runs once.
 */
export async function dispatchToolCalls(
  toolCalls: ReadonlyArray<PendingToolCall>,
  registry: ToolRegistry,
  ...[env, options]: [env: ExecutionEnvironment, options: boolean | DispatchOptions]
): Promise<ReadonlyArray<ToolCallResult>> {
  const run: Dispatch = { registry, env, options: typeof options === 'boolean' ? { parallel: options } : options };
  const results = new Map<string, ToolCallResult>();
  const calls = withoutRepeats(toolCalls).map((call) => underOwnName(call, registry));
  for (const group of groupsOf(calls, run)) {
    const settled = await Promise.all(group.map((call) => dispatchOne(call, run)));
    for (const result of settled) if (result !== null) results.set(result.toolCallId, result);
  }
  return [...results.values()];
}

type Dispatch = {
  readonly registry: ToolRegistry;
  readonly env: ExecutionEnvironment;
  readonly options: DispatchOptions;
};

function withoutRepeats(calls: ReadonlyArray<PendingToolCall>): ReadonlyArray<PendingToolCall> {
  const ids = new Set<string>();
  return calls.filter(({ toolCallId }) => !ids.has(toolCallId) && ids.add(toolCallId));
}

/** A registry may find a tool under other names too. The call then runs, and is recorded, under the tool's own name. */
function underOwnName(call: PendingToolCall, registry: ToolRegistry): PendingToolCall {
  const tool = registry.get(call.toolName);
  const toolName = tool?.definition.name ?? call.toolName;
  if (tool?.ownArguments !== undefined) return { ...call, toolName, args: tool.ownArguments(call.args) };
  return toolName === call.toolName ? call : { ...call, toolName };
}

/** Calls of one group run side by side; groups run in order. A serial tool is a group of its own. */
function groupsOf(calls: ReadonlyArray<PendingToolCall>, run: Dispatch): ReadonlyArray<ReadonlyArray<PendingToolCall>> {
  const tools = calls.map((call) => run.registry.get(call.toolName));
  const sideBySide = run.options.parallel || tools.every((tool) => tool?.readOnly === true);
  const groups: PendingToolCall[][] = [];
  let last: 'open' | 'closed' = 'closed';
  calls.forEach((call, index) => {
    const alone = !sideBySide || tools[index]?.serial === true;
    if (alone || last === 'closed') groups.push([call]);
    else groups.at(-1)?.push(call);
    last = alone ? 'closed' : 'open';
  });
  return groups;
}

async function dispatchOne(asked: PendingToolCall, run: Dispatch): Promise<ToolCallResult | null> {
  const permission = await permissionFor(asked, run);
  if (permission === 'halt') return null;
  const isChanged = permission !== null && 'args' in permission;
  const call = isChanged ? { ...asked, args: permission.args } : asked;
  const found = run.registry.get(asked.toolName);
  const refusal = isChanged ? null : inShapeOf(found, permission);
  const tool = refusal === null ? found : null;
  await run.options.onStart?.(call, tool);
  const answer = refusal ?? (await execute(call, tool, run));
  const output = isChanged ? `[${permission.note}]\n${answer.output}` : answer.output;
  const result = { ...answer, output, toolCallId: call.toolCallId };
  await run.options.onEnd?.(call, result);
  return result;
}

function inShapeOf(tool: RegisteredTool | null, refusal: ToolResult | null): ToolResult | null {
  if (refusal === null || tool?.refusal === undefined) return refusal;
  return { ...refusal, output: tool.refusal(refusal.output) };
}

async function permissionFor(call: PendingToolCall, { registry, options }: Dispatch): Promise<Permission> {
  const tool = registry.get(call.toolName);
  if (tool === null) {
    const names = registry.definitions().map(({ name }) => name);
    return refused(`Unknown tool: ${call.toolName}. Available tools: ${names.join(', ')}.`);
  }
  if (call.argsError !== undefined) {
    return refused(
      `Invalid arguments for ${call.toolName}: ${call.argsError}. Send the call again with one JSON object.`,
    );
  }
  const wrong = await validateArguments(tool.definition, call.args);
  if (wrong.length > 0) return refused(`Invalid arguments for ${call.toolName}: ${wrong.join('; ')}`);
  return (await options.permit?.(call, tool)) ?? null;
}

async function execute(call: PendingToolCall, tool: RegisteredTool | null, run: Dispatch): Promise<ToolResult> {
  if (tool === null) return refused(`Unknown tool: ${call.toolName}.`);
  const { context, onOutput, leaving } = run.options;
  try {
    const answer = await tool.executor(call.args, run.env, {
      ...context,
      toolCallId: call.toolCallId,
      ...(onOutput === undefined ? {} : { onOutput: (text) => onOutput(call, text) }),
      ...(leaving === undefined ? {} : { leaving: () => leaving(call.toolCallId) }),
    });
    return typeof answer === 'string' ? { output: answer, isError: false } : answer;
  } catch (error) {
    return refused(`Tool error: ${messageOf(error)}`);
  }
}

function refused(output: string): ToolResult {
  return { output, isError: true };
}
