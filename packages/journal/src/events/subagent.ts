/** `interrupted`: its process ended before it did; `send_input` goes on with it where its journal is kept. */
export type SubagentStatus = 'running' | 'completed' | 'aborted' | 'error' | 'interrupted';

/** `output` is its last text; `success` means that it came to its own end; `turnsUsed` counts its rounds of tool calls. */
export type SubagentResult = { readonly output: string; readonly success: boolean; readonly turnsUsed: number };

/** A child as its parent knows it. `result` is there once it is no longer running. */
export type Subagent = {
  readonly id: string;
  readonly childSessionId: string;
  readonly instruction: string;
  /** The kind of agent that it is; absent: of its parent's. */
  readonly agent?: string;
  readonly model?: string;
  readonly maxTurns?: number;
  readonly status: SubagentStatus;
  readonly result?: SubagentResult;
};
