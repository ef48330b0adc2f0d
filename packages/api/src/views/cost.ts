import type { AgentRun } from '@attractor/platform';
import type { TranscriptMessage } from '../messages.ts';

/** Tokens and money spent. `costUsd` is null as soon as one part has no known price; it is never guessed. */
export type Spent = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd: number | null;
};

export const NOTHING_SPENT: Spent = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costUsd: 0,
};

export function addSpent(a: Spent, b: Spent): Spent {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    costUsd: a.costUsd === null || b.costUsd === null ? null : a.costUsd + b.costUsd,
  };
}

export function spentByMessage(message: TranscriptMessage & { kind: 'usage' }): Spent {
  return {
    inputTokens: message.usage.inputTokens,
    outputTokens: message.usage.outputTokens,
    cacheReadTokens: message.usage.cacheReadTokens ?? 0,
    cacheWriteTokens: message.usage.cacheWriteTokens ?? 0,
    costUsd: message.costUsd,
  };
}

/** The totals of a closed run; they override the sum of its messages. */
export function spentByRun(run: AgentRun): Spent | null {
  if (!run.tokenUsage) return null;
  return {
    inputTokens: run.tokenUsage.inputTokens,
    outputTokens: run.tokenUsage.outputTokens,
    cacheReadTokens: run.tokenUsage.cacheReadTokens ?? 0,
    cacheWriteTokens: run.tokenUsage.cacheWriteTokens ?? 0,
    costUsd: run.tokenUsage.totalCost,
  };
}
