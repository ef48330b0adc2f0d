import type { SessionEvent } from '../types/index.ts';
import type { SessionView } from './view.ts';

const WARN_AT_PERCENT = 80;
const CHARS_PER_TOKEN = 4;

/** A warning when the conversation fills most of the model's window; null below that, or when its size is not known. */
export function contextWarning(view: SessionView, contextWindowSize: number | undefined): SessionEvent | null {
  if (contextWindowSize === undefined || contextWindowSize <= 0) return null;
  const usagePercent = (tokensOf(view) / contextWindowSize) * 100;
  return usagePercent >= WARN_AT_PERCENT ? { kind: 'CONTEXT_WARNING', usagePercent } : null;
}

/** The provider's own count of the last exchange where it gives one, else four characters to a token. */
function tokensOf(view: SessionView): number {
  const counted = view.lastUsage === null ? 0 : view.lastUsage.inputTokens + view.lastUsage.outputTokens;
  return counted > 0 ? counted : Math.ceil(JSON.stringify(view.turns).length / CHARS_PER_TOKEN);
}
