import type { DeliveredEvent } from '@attractor/journal';
import { changeOf, diffCount } from '@attractor/tool-table';

export type LineCount = { readonly added: number; readonly removed: number };

/** Lines of files that calls put in and took out; a call that failed has changed nothing. */
export function createLineCount(): { readonly see: (event: DeliveredEvent) => void; readonly sum: () => LineCount } {
  const asked = new Map<string, LineCount>();
  let sum: LineCount = { added: 0, removed: 0 };
  return {
    see: (event) => {
      if (event.kind === 'TOOL_CALL_START') {
        const change = changeOf(event.toolName, event.args);
        if (change !== null) asked.set(event.toolCallId, diffCount(change));
      }
      if (event.kind !== 'TOOL_CALL_END') return;
      const done = asked.get(event.toolCallId);
      asked.delete(event.toolCallId);
      if (done !== undefined && !event.isError)
        sum = { added: sum.added + done.added, removed: sum.removed + done.removed };
    },
    sum: () => sum,
  };
}
