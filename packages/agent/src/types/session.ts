import type { ImagePart, ReasoningEffort, TextPart } from '@attractor/llm';

/** IDLE → PROCESSING on submit; PROCESSING ⇄ AWAITING_INPUT when a person is asked; → IDLE when done; any → CLOSED, for good. */
export type SessionState = 'IDLE' | 'PROCESSING' | 'AWAITING_INPUT' | 'CLOSED';

/** What a person says: plain text, or text and images in their order. */
export type SessionInput = string | ReadonlyArray<TextPart | ImagePart>;

/** How many calls a session may make: of each tool, and in all. Refused calls count too. Absent: any number. */
export type ToolBudget = { readonly total?: number; readonly perTool?: Readonly<Record<string, number>> };

/** Absent limits are unlimited; absent `contextWindowSize` switches context tracking off. */
export type SessionConfig = {
  readonly model: string;
  readonly provider: string;
  readonly maxToolRoundsPerInput?: number;
  readonly maxTurns?: number;
  readonly contextWindowSize?: number;
  readonly toolOutputLimits?: Readonly<Record<string, number>>;
  readonly toolLineLimits?: Readonly<Record<string, number>>;
  readonly toolBudget?: ToolBudget;
  /** How many of the last calls are looked at for repetition; absent: 10; 0: loops are not looked for. */
  readonly loopDetectionWindow?: number;
  /** How deep agents may start agents; absent: 1, so children can't; 0: none. */
  readonly maxSubagentDepth?: number;
  /** How many children may work at once; absent: 4. */
  readonly maxConcurrentSubagents?: number;
  readonly defaultCommandTimeout?: number;
  /** How long a session that was answered before waits for a network that went away; absent: 10 minutes; 0: not at all. */
  readonly networkPatienceMs?: number;
  readonly userInstruction?: string;
  readonly workingDirectory?: string;
  readonly reasoningEffort?: ReasoningEffort;
};
