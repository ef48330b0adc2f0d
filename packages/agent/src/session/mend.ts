import type { SessionEvent } from '../types/index.ts';
import { openCalls, type SessionView } from '../conversation/view.ts';

const LOST_INPUT = '[The message that stood here could not be read back.]';
const LOST_RESULT = 'lost: the result of this call could not be read back; its effects are unknown';

/** Event kinds that never follow a reply whose calls are still open. */
const NEXT_TURN: ReadonlySet<string> = new Set(['USER_INPUT', 'STEERING_INJECTED', 'ASSISTANT_MESSAGE']);

/**
 * The events to fold for a stored event so that providers accept the history even if earlier records were damaged: every call has its
 * result, every reply answers something. In an intact journal it is the event alone.
 */
export function mendEvent(view: SessionView, event: SessionEvent): ReadonlyArray<SessionEvent> {
  const open = openCalls(view);
  if (event.kind === 'TOOL_CALL_END') return open.some((call) => call.toolCallId === event.toolCallId) ? [event] : [];
  if (!NEXT_TURN.has(event.kind)) return [event];
  const lost = open.map(({ toolCallId, toolName }): SessionEvent => {
    return { kind: 'TOOL_CALL_END', toolCallId, toolName, output: LOST_RESULT, isError: true };
  });
  const answersNothing = open.length === 0 && (view.turns.at(-1)?.kind ?? 'assistant') === 'assistant';
  if (event.kind !== 'ASSISTANT_MESSAGE' || !answersNothing) return [...lost, event];
  return [{ kind: 'USER_INPUT', content: LOST_INPUT }, event];
}
