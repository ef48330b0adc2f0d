import { dispatchToolCalls, type DispatchOptions, type PendingToolCall } from '../tools/dispatch.ts';
import type { RegisteredTool, SessionEvent, ToolResult } from '../types/index.ts';
import type { ApprovalAnswer } from './contract.ts';
import { createRendezvous } from './rendezvous.ts';
import type { Run } from './run.ts';
import { openCalls } from './view.ts';

type Put = (event: SessionEvent) => Promise<void>;

/** Runs the open calls of the last reply. No tool starts before its TOOL_CALL_START was recorded. */
export async function* act(run: Run): AsyncGenerator<SessionEvent, void> {
  const calls = openCalls(run.view());
  if (calls.length === 0) return;
  const channel = createRendezvous<SessionEvent>();
  const done = dispatchToolCalls(calls, run.registry, run.environment, dispatchOptions(run, channel.put)).finally(
    channel.end,
  );
  yield* channel.values();
  await done;
}

function dispatchOptions(run: Run, put: Put): DispatchOptions {
  return {
    parallel: run.profile.supportsParallelToolCalls,
    context: {
      signal: run.signal,
      commandTimeoutMs: run.config.defaultCommandTimeout ?? run.profile.defaultCommandTimeout,
    },
    onOutput: ({ toolCallId }, text) => void put({ kind: 'TOOL_CALL_OUTPUT_DELTA', toolCallId, text }),
    permit: (call, tool) => permit(run, put, { call, tool }),
    onStart: ({ toolCallId, toolName, args }, tool) =>
      put({ kind: 'TOOL_CALL_START', toolCallId, toolName, args, readOnly: tool === null || tool.readOnly === true }),
    onEnd: ({ toolCallId, toolName }, { output, isError }) =>
      put({ kind: 'TOOL_CALL_END', toolCallId, toolName, output, isError }),
  };
}

type Asked = { readonly call: PendingToolCall; readonly tool: RegisteredTool };

async function permit(run: Run, put: Put, { call, tool }: Asked): Promise<ToolResult | 'halt' | null> {
  if (run.ending() !== null) return stopped(run);
  if (run.approve === undefined || tool.readOnly === true) return null;
  const { toolCallId, toolName, args } = call;
  await put({ kind: 'APPROVAL_REQUESTED', toolCallId, toolName, args });
  const answer = await answerOrEnd(run, { sessionId: run.sessionId, toolCallId, toolName, args, signal: run.signal });
  if (answer === null) return stopped(run);
  const reason = answer.allowed ? {} : { reason: answer.reason };
  await put({ kind: 'APPROVAL_ANSWERED', toolCallId, allowed: answer.allowed, ...reason });
  return answer.allowed ? null : { output: `Denied: ${answer.reason}`, isError: true };
}

/** Null when the session ends before there is an answer. An approval that fails is a refusal. */
async function answerOrEnd(
  run: Run,
  request: Parameters<NonNullable<Run['approve']>>[0],
): Promise<ApprovalAnswer | null> {
  const ended = new Promise<null>((resolve) =>
    run.signal.addEventListener('abort', () => resolve(null), { once: true }),
  );
  const asked = run.approve?.(request).catch((error: unknown): ApprovalAnswer => {
    return {
      allowed: false,
      reason: `the approval could not be obtained (${error instanceof Error ? error.message : String(error)})`,
    };
  });
  return run.signal.aborted ? null : Promise.race([asked ?? null, ended]);
}

/** An aborted session answers what it did not run; a closed one leaves it open for whoever resumes. */
function stopped(run: Run): ToolResult | 'halt' {
  return run.ending() === 'aborted' ? { output: 'Not run: the work was stopped before.', isError: true } : 'halt';
}
