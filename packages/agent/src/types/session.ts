import type { ImagePart, ReasoningEffort, TextPart } from '@attractor/llm';

/** IDLE → PROCESSING on submit; PROCESSING ⇄ AWAITING_INPUT while a person is asked; → IDLE when done; any → CLOSED, for good. */
export type SessionState = 'IDLE' | 'PROCESSING' | 'AWAITING_INPUT' | 'CLOSED';

/** What a person says: plain text, or text and images in their order. */
export type SessionInput = string | ReadonlyArray<TextPart | ImagePart>;

/** How many calls a session may make: per tool, and in total. Refused calls count too. Absent: any number. */
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
  /** How many of the latest calls are searched for repetition. Absent: 10; 0 switches the search off. */
  readonly loopDetectionWindow?: number;
  /** How deep agents may nest. Absent: 1, so children can't start any; 0: no subagents at all. */
  readonly maxSubagentDepth?: number;
  /** How many children may work at once; absent: 4. */
  readonly maxConcurrentSubagents?: number;
  readonly defaultCommandTimeout?: number;
  /** How long a session that has had an answer before waits for a lost network to return. Absent: 10 minutes; 0: it does not wait. */
  readonly networkPatienceMs?: number;
  readonly userInstruction?: string;
  readonly workingDirectory?: string;
  readonly reasoningEffort?: ReasoningEffort;
};
