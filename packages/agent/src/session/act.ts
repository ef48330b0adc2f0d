import { defined } from '@attractor/base';
import {
  dispatchToolCalls,
  type DispatchOptions,
  type PendingToolCall,
  type ToolCallResult,
} from '../tools/dispatch.ts';
import type { SessionEvent } from '../types/index.ts';
import { afterBatch, afterCall, afterMove } from './hooked-call.ts';
import type { PutEvent } from './judge-call.ts';
import { permit } from './permit.ts';
import { createRendezvous } from './rendezvous.ts';
import type { Run } from './run.ts';
import { openCalls } from '../conversation/view.ts';

/** Runs the open calls of the last reply. No tool starts before its TOOL_CALL_START is recorded. */
export async function* act(run: Run): AsyncGenerator<SessionEvent, void> {
  const { registry, targetOf } = run.settings();
  const calls = openCalls(run.view())
    .map((call) => run.meant().find((one) => one.toolCallId === call.toolCallId) ?? call)
    .map((call) => ({ ...call, toolName: targetOf(call.toolName) }));
  if (calls.length === 0) return;
  const channel = createRendezvous<SessionEvent>();
  const done = dispatchToolCalls(calls, registry, run.environment, dispatchOptions(run, channel.put)).finally(
    channel.end,
  );
  yield* channel.values();
  await afterBatch(run, calls, await done);
  await run.hooks?.lookAround();
}

function dispatchOptions(run: Run, put: PutEvent): DispatchOptions {
  const { config, profile } = run.settings();
  const startedAt = new Map<string, number>();
  return {
    parallel: profile.supportsParallelToolCalls,
    context: {
      signal: run.signal,
      history: () => run.view().turns,
      onDocuments: (documents) => run.hooks?.instructed(documents),
      commandTimeoutMs: config.defaultCommandTimeout ?? profile.defaultCommandTimeout,
      /** Read for each call: the call before it may have changed the folder. */
      get workingDir() {
        return run.view().workingDir;
      },
    },
    leaving: (toolCallId) => run.leavable.add(toolCallId),
    onOutput: ({ toolCallId }, text) => void put({ kind: 'TOOL_CALL_OUTPUT_DELTA', toolCallId, text }),
    permit: (call, tool) => permit(run, put, { call, tool }),
    onStart: async ({ toolCallId, toolName, args }, tool) => {
      const readOnly = tool === null || tool.readOnly === true;
      await put({ kind: 'TOOL_CALL_START', toolCallId, toolName, args, readOnly });
      if (!readOnly) await run.confirmStart?.();
      if (tool !== null) startedAt.set(toolCallId, performance.now());
    },
    onEnd: async (call, result) => {
      run.leavable.remove(call.toolCallId);
      const started = startedAt.get(call.toolCallId);
      const ranMs = started === undefined ? null : Math.round(performance.now() - started);
      const from = run.view().workingDir;
      await put(endOf(call, await afterCall(run, { call, result, ranMs })));
      await afterMove(run, from);
    },
  };
}

function endOf(
  { toolCallId, toolName }: PendingToolCall,
  { output, isError, images, workingDir }: ToolCallResult,
): SessionEvent {
  return {
    kind: 'TOOL_CALL_END',
    toolCallId,
    toolName,
    output,
    isError,
    ...defined({ images, workingDir }),
  };
}
