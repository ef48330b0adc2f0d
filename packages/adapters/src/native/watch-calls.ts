import type { SessionEvent } from '@attractor/journal';

/** Which tool calls and hooks of a session are under way. */
export function watchCalls() {
  const open = new Set<string>();
  return {
    heard: (event: SessionEvent): void => {
      if (event.kind === 'TOOL_CALL_START') open.add(event.toolCallId);
      if (event.kind === 'TOOL_CALL_END') open.delete(event.toolCallId);
      if (event.kind === 'HOOK_STARTED') open.add(event.hookId);
      if (event.kind === 'HOOK_ENDED') open.delete(event.hookId);
    },
    areDone: (): boolean => open.size === 0,
  };
}
