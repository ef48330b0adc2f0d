import type { ContentPart, ToolCallPart, ToolResultPart } from '../types/content.ts';
import { callsIn, type Slot } from './slots.ts';

/** The answer to a call without a result, so that the model knows that its outcome is unknown. */
const NO_RESULT = 'No result: the call was interrupted. It may or may not have had an effect.';

/**
 * Puts the results of each assistant slot's calls right after it, in the order of the calls, exactly one each. A result belongs to the
 * first unanswered call with its id before it; one without a call becomes user text, since it may contain what the model needs. Ids are
 * made unique and valid for the wire.
 */
export function pairResults(slots: ReadonlyArray<Slot>, callId: RegExp): ReadonlyArray<Slot> {
  const answers = matchResults(slots);
  const answered = new Set(answers.values());
  const freshId = idMaker(callId);
  return slots.flatMap((slot): ReadonlyArray<Slot> => {
    if (slot.kind === 'result') return answered.has(slot.result) ? [] : [orphan(slot.result)];
    if (slot.kind !== 'assistant') return [slot];
    const renamed = new Map(callsIn(slot).map((call) => [call, freshId(call.toolCallId)]));
    const parts = slot.parts.map((part) =>
      part.kind === 'TOOL_CALL' ? { ...part, toolCallId: renamed.get(part) ?? part.toolCallId } : part,
    );
    const results = [...renamed].map(([call, toolCallId]): Slot => ({
      kind: 'result',
      result: answerOf(answers.get(call), toolCallId),
    }));
    return [{ kind: 'assistant', parts }, ...results];
  });
}

function matchResults(slots: ReadonlyArray<Slot>): ReadonlyMap<ToolCallPart, ToolResultPart> {
  const waiting = new Map<string, ToolCallPart[]>();
  const answers = new Map<ToolCallPart, ToolResultPart>();
  for (const slot of slots) {
    for (const call of callsIn(slot)) waiting.set(call.toolCallId, [...(waiting.get(call.toolCallId) ?? []), call]);
    if (slot.kind !== 'result') continue;
    const call = waiting.get(slot.result.toolCallId)?.shift();
    if (call !== undefined) answers.set(call, slot.result);
  }
  return answers;
}

function answerOf(result: ToolResultPart | undefined, toolCallId: string): ToolResultPart {
  return result === undefined
    ? { kind: 'TOOL_RESULT', toolCallId, output: NO_RESULT, isError: true }
    : { ...result, toolCallId };
}

function orphan(result: ToolResultPart): Slot {
  const text: ContentPart = {
    kind: 'TEXT',
    text: `Result of an earlier tool call (${result.toolCallId || 'no id'}):\n${result.output}`,
  };
  return { kind: 'user', parts: [text, ...(result.images ?? [])] };
}

/** Same history, same ids: they depend only on the order of the calls, so that a growing conversation keeps its earlier bytes. */
function idMaker(pattern: RegExp): (wanted: string) => string {
  const taken = new Set<string>();
  return (wanted) => {
    const base = pattern.test(wanted) ? wanted : `call_${wanted.replaceAll(/[^A-Za-z0-9_-]/g, '').slice(0, 24)}`;
    let id = base;
    for (let n = 2; taken.has(id); n += 1) id = `${base.slice(0, 32)}_${n}`;
    taken.add(id);
    return id;
  };
}
