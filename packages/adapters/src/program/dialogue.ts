import type { AgentFailure, PersonMessage, TokenUsage } from '../agent.ts';
import type { Report } from '../run-tools/report-outcome.ts';

/** The program's input. `close` ends it; `hangUp` ends the program as well if it stays. */
export type Pipe = {
  readonly write: (text: string) => void;
  readonly close: () => void;
  readonly hangUp: () => void;
};

/** What a program said, as far as it has arrived. */
export type Ending = {
  /** The last text, or the end of all text: where markers are. */
  readonly finalText: string;
  readonly usage: TokenUsage;
  /** It said itself that its turn is over: how it ended then no longer matters. */
  readonly isOver: boolean;
  readonly failure?: AgentFailure | null;
  readonly report?: Report | null;
  readonly refusedReport?: { readonly outcome: string; readonly problem: string } | null;
};

/** One exchange with a running program over its pipes. It never throws, whatever the program writes. */
export type Dialogue = {
  readonly begin: (pipe: Pipe) => void;
  readonly push: (chunk: Buffer) => void;
  /** No more output comes. */
  readonly end: () => void;
  /** Asks the program to give up its work. Whatever it does then, it is ended soon after. */
  readonly cancel?: () => void;
  /** Says something into the turn. Once the conversation has it, the call's `taken` is told; until then it may be said again. */
  readonly steer?: (message: PersonMessage) => void;
  readonly ending: () => Ending;
};

export const NOTHING_USED: TokenUsage = { inputTokens: 0, outputTokens: 0, totalCost: 0 };

/** A cost that is unknown once stays unknown in the sum. */
export function addTokens(sum: TokenUsage, more: TokenUsage): TokenUsage {
  const read = (sum.cacheReadTokens ?? 0) + (more.cacheReadTokens ?? 0);
  const written = (sum.cacheWriteTokens ?? 0) + (more.cacheWriteTokens ?? 0);
  return {
    inputTokens: sum.inputTokens + more.inputTokens,
    outputTokens: sum.outputTokens + more.outputTokens,
    ...(read === 0 ? {} : { cacheReadTokens: read }),
    ...(written === 0 ? {} : { cacheWriteTokens: written }),
    totalCost: sum.totalCost === null || more.totalCost === null ? null : sum.totalCost + more.totalCost,
  };
}
