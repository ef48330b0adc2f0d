import type { ContentPart } from '@attractor/llm';
import { newId } from '@attractor/base/id';
import { foldTurns } from './fold-turns.ts';
import type { SessionView } from '../conversation/view.ts';
import { isToolCall } from '../conversation/view.ts';

/**
 * The reply with unambiguous calls: an identical repetition is dropped; an id that is empty or was used before (in this reply or an earlier
 * one) is replaced. Every call then has exactly one result.
 */
export function tidyCalls(content: ReadonlyArray<ContentPart>, view: SessionView): ReadonlyArray<ContentPart> {
  if (!content.some(isToolCall)) return content;
  const before = usedIds(view.turns, null);
  const used = new Set<string>();
  const seen = new Set<string>();
  return content.flatMap((part): ReadonlyArray<ContentPart> => {
    if (!isToolCall(part)) return [part];
    const identity = JSON.stringify([part.toolCallId, part.toolName, part.args, part.rawArgs ?? null]);
    if (part.toolCallId !== '' && seen.has(identity)) return [];
    seen.add(identity);
    const isFresh = part.toolCallId !== '' && !used.has(part.toolCallId) && !before.has(part.toolCallId);
    const toolCallId = isFresh ? part.toolCallId : newId('call');
    used.add(toolCallId);
    return [{ ...part, toolCallId }];
  });
}

const usedIds = foldTurns<Set<string>, null>({
  start: () => new Set(),
  step: (ids, turn) => {
    if (turn.kind === 'tool_results') for (const { toolCallId } of turn.results) ids.add(toolCallId);
  },
});
