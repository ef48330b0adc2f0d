import type { AgentMessage } from '@attractor/adapters';

/** How long nothing new may begin before a turn counts as over: its tool calls are reported a moment after its text. */
const SETTLE_MS = 250;

/** Waits for the end of the agent's turn: no tool call is open, and none followed. `end` is called at most once. */
export function watchTurn(end: () => void) {
  const open = new Set<string>();
  let isWanted = false;
  let timer: NodeJS.Timeout | undefined;
  const settle = (): void => {
    clearTimeout(timer);
    if (isWanted && open.size === 0) timer = setTimeout(end, SETTLE_MS);
  };
  return {
    heard: (message: AgentMessage): void => {
      if (message.kind === 'tool_call') open.add(message.toolCallId);
      else if (message.kind === 'tool_result') open.delete(message.toolCallId);
      else return;
      settle();
    },
    endSoon: (): void => {
      if (isWanted) return;
      isWanted = true;
      settle();
    },
    stop: (): void => {
      isWanted = false;
      clearTimeout(timer);
    },
  };
}
