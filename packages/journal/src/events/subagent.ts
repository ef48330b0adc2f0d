/** `interrupted`: its process ended first; `send_input` continues it if its journal is kept. */
export type SubagentStatus = 'running' | 'completed' | 'aborted' | 'error' | 'interrupted';

/** `output` is its last text; `success` means that it finished by itself; `turnsUsed` counts its rounds of tool calls. */
export type SubagentResult = { readonly output: string; readonly success: boolean; readonly turnsUsed: number };

/** A child as its parent knows it. `result` is set once it is no longer running. */
export type Subagent = {
  readonly id: string;
  readonly childSessionId: string;
  readonly instruction: string;
  /** The type of agent; absent: its parent's. */
  readonly agent?: string;
  readonly model?: string;
  readonly maxTurns?: number;
  /** The checkout that it works in alone. Absent: it works where its parent does. */
  readonly worktree?: string;
  readonly status: SubagentStatus;
  readonly result?: SubagentResult;
};
