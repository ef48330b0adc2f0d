import { tokensOfText, tokensOfTurns } from './tokens.ts';
import type { SessionEvent } from '../types/index.ts';
import type { SessionView } from './view.ts';

const WARN_AT_PERCENT = 80;

/** A warning when the conversation fills most of the model's window. Null below that, or if the window's size is unknown. */
export function contextWarning(view: SessionView, contextWindowSize: number | undefined): SessionEvent | null {
  if (contextWindowSize === undefined || contextWindowSize <= 0) return null;
  const usagePercent = (tokensInUse(view) / contextWindowSize) * 100;
  return usagePercent >= WARN_AT_PERCENT ? { kind: 'CONTEXT_WARNING', usagePercent } : null;
}

/** The provider's own count for the last exchange, if it gives one, plus what was added since; otherwise four characters per token. */
export function tokensInUse(view: SessionView): number {
  const { lastUsage, turns } = view;
  const counted = lastUsage === null ? 0 : lastUsage.inputTokens + lastUsage.outputTokens;
  if (counted === 0) return estimateOf(view);
  return counted + tokensOfTurns(turns.slice(turns.findLastIndex(({ kind }) => kind === 'assistant') + 1));
}

/** An estimate by length of the conversation as it would be sent next, without the system text. */
export function estimateOf({ compaction, turns }: SessionView): number {
  const kept = compaction === null ? turns : turns.slice(compaction.keptFrom);
  return tokensOfText(compaction?.prefix ?? '') + tokensOfTurns(kept);
}
