import type { ReasoningEffort } from '@attractor/llm';

/** IDLE → PROCESSING on submit; PROCESSING ⇄ AWAITING_INPUT when a person is asked; → IDLE when done; any → CLOSED, for good. */
export type SessionState = 'IDLE' | 'PROCESSING' | 'AWAITING_INPUT' | 'CLOSED';

/** Absent limits are unlimited; absent `contextWindowSize` switches context tracking off. */
export type SessionConfig = {
  readonly model: string;
  readonly provider: string;
  readonly maxToolRoundsPerInput?: number;
  readonly maxTurns?: number;
  readonly contextWindowSize?: number;
  readonly toolOutputLimits?: Readonly<Record<string, number>>;
  readonly toolLineLimits?: Readonly<Record<string, number>>;
  readonly loopDetectionWindow?: number;
  readonly maxSubagentDepth?: number;
  readonly defaultCommandTimeout?: number;
  readonly userInstruction?: string;
  readonly workingDirectory?: string;
  readonly reasoningEffort?: ReasoningEffort;
};
