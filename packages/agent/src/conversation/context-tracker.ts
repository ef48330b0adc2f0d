import { tokensOfText, tokensOfTurns } from './tokens.ts';
import type { SessionEvent } from '../types/index.ts';
import type { SessionView } from './view.ts';

const WARN_AT_PERCENT = 80;

/** A warning when the conversation fills most of the model's window; null below that, or when its size is not known. */
export function contextWarning(view: SessionView, contextWindowSize: number | undefined): SessionEvent | null {
  if (contextWindowSize === undefined || contextWindowSize <= 0) return null;
  const usagePercent = (tokensInUse(view) / contextWindowSize) * 100;
  return usagePercent >= WARN_AT_PERCENT ? { kind: 'CONTEXT_WARNING', usagePercent } : null;
}

/** The provider's own count of the last exchange where it gives one, and what was added since; else four characters to a token. */
export function tokensInUse(view: SessionView): number {
  const { lastUsage, turns } = view;
  const counted = lastUsage === null ? 0 : lastUsage.inputTokens + lastUsage.outputTokens;
  if (counted === 0) return estimateOf(view);
  return counted + tokensOfTurns(turns.slice(turns.findLastIndex(({ kind }) => kind === 'assistant') + 1));
}

/** The conversation as it would be sent next, by its length; the system prompt does not count. */
export function estimateOf({ compaction, turns }: SessionView): number {
  const kept = compaction === null ? turns : turns.slice(compaction.keptFrom);
  return tokensOfText(compaction?.prefix ?? '') + tokensOfTurns(kept);
}
