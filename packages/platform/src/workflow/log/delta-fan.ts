import type { LiveDelta } from '@attractor/store';
import { foldDelta, type LiveText, NO_LIVE_TEXT, settleLive, type SettledMessage } from '@attractor/store/types';

/**
 * Live text for everyone who watches. It is kept in memory from the beginning of the message that an agent is writing, for those who come
 * later, until the message is finished and the log has it.
 */
export type DeltaFan = {
  readonly send: (delta: LiveDelta) => void;
  /** A message is finished: its text comes from the log. */
  readonly settle: (runId: string, message: SettledMessage) => void;
  /** The agent has ended. */
  readonly forget: (runId: string) => void;
  /** First what is live now, then each piece as it comes. */
  readonly listen: (listener: (delta: LiveDelta) => void) => () => void;
};

/** Of a longer text the end is kept, at least this many characters. */
const KEPT = 200_000;

type Writing = { readonly taskId: string; readonly live: LiveText };

export function createDeltaFan(): DeltaFan {
  const listeners = new Set<(delta: LiveDelta) => void>();
  const writing = new Map<string, Writing>();
  return {
    send: (delta) => {
      const { live } = writing.get(delta.runId) ?? { live: NO_LIVE_TEXT };
      writing.set(delta.runId, { taskId: delta.taskId, live: bounded(foldDelta(live, delta)) });
      for (const listener of listeners) listener(delta);
    },
    settle: (runId, message) => {
      const before = writing.get(runId);
      if (before !== undefined) writing.set(runId, { ...before, live: settleLive(before.live, message) });
    },
    forget: (runId) => void writing.delete(runId),
    listen: (listener) => {
      for (const [runId, { taskId, live }] of writing)
        for (const delta of wholeOf(live)) listener({ taskId, runId, delta });
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Whoever comes back may have a part of it already: that is taken back first. */
function wholeOf({ text, thinking, toolOutput }: LiveText): ReadonlyArray<LiveDelta['delta']> {
  const pieces = [
    { kind: 'thinking_delta', text: thinking },
    { kind: 'text_delta', text },
    ...Object.entries(toolOutput).map(([toolCallId, output]) => ({
      kind: 'tool_output_delta',
      toolCallId,
      text: output,
    })),
  ].filter((piece) => piece.text !== '');
  return pieces.length === 0 ? [] : [{ kind: 'reset' }, ...pieces];
}

function bounded(live: LiveText): LiveText {
  if (live.text.length <= 2 * KEPT && live.thinking.length <= 2 * KEPT) return live;
  return { ...live, text: live.text.slice(-KEPT), thinking: live.thinking.slice(-KEPT) };
}
