/** Calls under way that can go on by themselves. */
export type Leavable = {
  /** The signal fires when nobody waits for the call any more. */
  readonly add: (toolCallId: string) => AbortSignal;
  readonly remove: (toolCallId: string) => void;
  /** Nobody waits for this call any more, or for any: how many there were. */
  readonly leave: (toolCallId?: string) => number;
};

export function createLeavable(): Leavable {
  const calls = new Map<string, AbortController>();
  return {
    add: (toolCallId) => {
      const leaving = new AbortController();
      calls.set(toolCallId, leaving);
      return leaving.signal;
    },
    remove: (toolCallId) => void calls.delete(toolCallId),
    leave: (toolCallId) => {
      const left = [...calls].filter(([id]) => toolCallId === undefined || id === toolCallId);
      for (const [, leaving] of left) leaving.abort();
      return left.length;
    },
  };
}
