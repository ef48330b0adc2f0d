import path from 'node:path';
import { defined } from '@attractor/base';
import { type HookOutcome, hookToolName } from '@attractor/settings';
import { isCommand } from '@attractor/policy';
import { holdsMask } from '@attractor/redact';
import type { PendingToolCall, ToolCallResult } from '../tools/dispatch.ts';
import { validateArguments } from '../tools/validate.ts';
import type { HookDecision, ToolResult } from '../types/index.ts';
import { contextOf } from './hook-context.ts';
import type { RequestedCall, PutEvent } from './judge-call.ts';
import type { Run } from './run.ts';

/** What a hook is told about a call. */
export function hookFieldsOf(
  run: Pick<Run, 'settings'>,
  { toolCallId, toolName, args }: PendingToolCall,
): Readonly<Record<string, unknown>> {
  const mcp_server = run.settings().registry.get(toolName)?.server;
  const fields = { tool_name: hookToolName(toolName), tool_input: args, tool_use_id: toolCallId };
  return { ...fields, ...defined({ mcp_server }) };
}

/**
 * What hooks decide about a call before it is judged. The decision is recorded and reused on resume, so no hook is asked twice about a call
 * that waits for a person over a restart. Hooks are asked again only if the arguments they substituted could not be stored.
 */
export async function beforeCall(run: Run, put: PutEvent, asked: RequestedCall): Promise<HookDecision | null> {
  if (run.hooks?.has('PreToolUse') !== true) return null;
  const { call } = asked;
  const { decided } = run.view();
  const given = Object.hasOwn(decided, call.toolCallId) ? decided[call.toolCallId] : undefined;
  if (given !== undefined && !holdsMask(JSON.stringify(given.args ?? {}))) return given;
  const outcome = await run.hooks.fire('PreToolUse', hookFieldsOf(run, call));
  if (outcome.ran === 0 || run.ending() !== null) return null;
  if (outcome.stop !== null) run.hooks.stop(outcome.stop);
  const decision = await decisionOf(outcome, asked);
  await put({ kind: 'HOOK_DECIDED', toolCallId: call.toolCallId, ...decision });
  return decision;
}

async function decisionOf(outcome: HookOutcome, { tool }: RequestedCall): Promise<HookDecision> {
  const { block, permission, stop, updatedInput: args, context } = outcome;
  const told = context.length === 0 ? {} : { context };
  if (stop !== null) return { decision: 'deny', reason: `a hook stopped the work: ${stop}`, ...told };
  if (block !== null) return { decision: 'deny', reason: block, ...told };
  if (permission?.word === 'deny') return { decision: 'deny', reason: permission.reason, ...told };
  const wrong = args === null ? null : await problemOfInput(tool.definition, args);
  if (wrong !== null) return { decision: 'deny', reason: wrong, ...told };
  return {
    decision: permission?.word ?? 'none',
    ...(permission === null ? {} : { reason: permission.reason }),
    ...(args === null ? {} : { args }),
    ...told,
  };
}

/** Why the arguments that a hook substituted can't run, or null. */
export async function problemOfInput(
  definition: RequestedCall['tool']['definition'],
  args: PendingToolCall['args'],
): Promise<string | null> {
  const wrong = await validateArguments(definition, args);
  if (wrong.length > 0) return `a hook changed the call, and its arguments are not valid then: ${wrong.join('; ')}`;
  return holdsMask(JSON.stringify(args)) ? 'a hook changed the call, and it holds the mask of a secret then' : null;
}

export function changedByHook(args: PendingToolCall['args']): {
  readonly args: PendingToolCall['args'];
  readonly note: string;
} {
  return { args, note: `A hook changed this call before it ran. Its arguments were: ${JSON.stringify(args)}` };
}

/** `ranMs` null: the tool did not run. */
export type CallEnd = {
  readonly call: PendingToolCall;
  readonly result: ToolCallResult;
  readonly ranMs: number | null;
};

/** The result as the model gets it: replaced by hooks where they do so, followed by the context they add. */
export async function afterCall(run: Run, end: CallEnd): Promise<ToolCallResult> {
  const { call, result, ranMs } = end;
  if (run.hooks === undefined) return result;
  const { decided } = run.view();
  const before = Object.hasOwn(decided, call.toolCallId) ? (decided[call.toolCallId]?.context ?? []) : [];
  const early = before.length === 0 ? [] : [contextOf('PreToolUse', before)];
  if (ranMs === null || run.ending() !== null) return added(result, early);
  const event = result.isError ? 'PostToolUseFailure' : 'PostToolUse';
  const outcome = await run.hooks.fire(event, {
    ...hookFieldsOf(run, call),
    ...(result.isError
      ? { error: result.output, is_interrupt: run.signal.aborted }
      : { tool_response: responseOf(call, result) }),
    duration_ms: ranMs,
  });
  if (outcome.stop !== null) run.hooks.stop(outcome.stop);
  const output = event === 'PostToolUse' ? (outcome.updatedOutput ?? result.output) : result.output;
  const late = [...(outcome.block === null ? [] : [outcome.block]), ...outcome.context];
  return added({ ...result, output }, [...early, ...(late.length === 0 ? [] : [contextOf(event, late)])]);
}

function added(result: ToolCallResult, texts: ReadonlyArray<string>): ToolCallResult {
  return texts.length === 0 ? result : { ...result, output: [result.output, ...texts].join('\n\n') };
}

/** Fields that hooks written for other agents look for, besides the output as the model gets it. */
function responseOf({ toolName, args }: PendingToolCall, { output, isError }: ToolResult): unknown {
  const plain = { output, is_error: isError };
  if (isCommand(toolName)) return { ...plain, ...streamsIn(output), interrupted: false };
  const file = args['file_path'] ?? args['path'];
  return typeof file === 'string' ? { ...plain, filePath: file, success: !isError } : plain;
}

/** What the command itself printed, without the lines that we add for the model. */
function streamsIn(output: string): { readonly stdout: string; readonly stderr: string } {
  const [printed = ''] = output.split(/\n?^\[(?:exit code|ended by) [^\n]*, \d+ ms\]$/m);
  const [stdout = '', ...stderr] = printed.split(/\n?^\[stderr\]\n/m);
  return { stdout, stderr: stderr.join('\n') };
}

/** Called once the session is in its new folder, where commands start from now on. */
export async function afterMove(run: Run, from: string): Promise<void> {
  const to = run.view().workingDir;
  if (run.hooks === undefined || to === from || run.ending() !== null) return;
  const root = run.environment.workingDirectory();
  const { context } = await run.hooks.fire('CwdChanged', {
    old_cwd: path.resolve(root, from),
    new_cwd: path.resolve(root, to),
  });
  run.hooks.tell('CwdChanged', context);
}

/** After the last result of a round. */
export async function afterBatch(
  run: Run,
  calls: ReadonlyArray<PendingToolCall>,
  results: ReadonlyArray<ToolCallResult>,
): Promise<void> {
  if (run.hooks?.has('PostToolBatch') !== true || run.ending() !== null || results.length === 0) return;
  const told = calls.flatMap((call) => {
    const result = results.find(({ toolCallId }) => toolCallId === call.toolCallId);
    return result === undefined ? [] : [{ ...hookFieldsOf(run, call), tool_response: responseOf(call, result) }];
  });
  const { block, stop, context } = await run.hooks.fire('PostToolBatch', { tool_calls: told });
  const why = stop ?? block;
  if (why !== null) run.hooks.stop(why);
  run.hooks.tell('PostToolBatch', context);
}
