import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { isRecord } from '@attractor/base';
import type { TurnEntry } from '@attractor/journal';
import { rowOf, stepsOf } from '@attractor/tool-table';
import { planOf } from './plan.ts';
import { fenced, shortened, toolCallOf } from './tool-call.ts';

/** An earlier conversation as the updates that an editor would have got, in their order. */
export function* earlierUpdates(entries: Iterable<TurnEntry>, folder: string): Generator<SessionUpdate, void> {
  for (const entry of entries) {
    if (entry.kind === 'tool_results') yield* resultsOf(entry);
    else {
      yield* textOf(entry);
      yield* callsOf(entry, folder);
    }
  }
}

function* textOf({ kind, text }: TurnEntry): Generator<SessionUpdate, void> {
  if (text === '') return;
  const sessionUpdate = kind === 'assistant' ? 'agent_message_chunk' : 'user_message_chunk';
  yield { sessionUpdate, content: { type: 'text', text } };
}

function* callsOf({ calls, complete }: TurnEntry, folder: string): Generator<SessionUpdate, void> {
  for (const { toolCallId, toolName, args: given } of calls) {
    const args = isRecord(given) ? given : {};
    const steps = stepsOf(toolName, args);
    if (steps !== null) yield { sessionUpdate: 'plan', ...planOf(steps) };
    else
      yield {
        sessionUpdate: 'tool_call',
        ...toolCallOf({ toolCallId, toolName, args }, folder),
        status: complete ? 'in_progress' : 'failed',
      };
  }
}

function* resultsOf({ results }: TurnEntry): Generator<SessionUpdate, void> {
  for (const { toolCallId, toolName, output, isError } of results) {
    const use = rowOf(toolName)?.use;
    if (use === 'steps') continue;
    // A change is shown by what it changed.
    const isShown = output.trim() === '' || (use === 'change' && !isError);
    yield {
      sessionUpdate: 'tool_call_update',
      toolCallId,
      status: isError ? 'failed' : 'completed',
      rawOutput: { output: shortened(output), isError },
      ...(isShown ? {} : { content: [fenced(shortened(output))] }),
    };
  }
}
