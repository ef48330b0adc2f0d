import type { OpenItem } from './ledger.ts';
import type { Plan } from './plan.ts';
import { tokensOfText } from '../conversation/tokens.ts';

/** Why a summary can't be used, or null if it can. */
export function problemOfSummary(summary: string, plan: Plan): string | null {
  if (summary.trim() === '') return 'it is empty';
  if (tokensOfText(summary) > plan.maxSummaryTokens * 2)
    return `it is too long (at most ${plan.maxSummaryTokens} tokens)`;
  if (tokensOfText(plan.prefixWith(summary)) > plan.maxPrefixTokens) return 'it is not smaller than what it replaces';
  const missed = plan.ledger.open.filter((item) => !covers(summary, item)).map(({ id }) => id);
  return missed.length === 0 ? null : `it does not say how these open steps stand: ${missed.join(', ')}`;
}

/** The summary names the item by its id or repeats its text. */
function covers(summary: string, { id, text }: OpenItem): boolean {
  return new RegExp(`\\b${id}\\b`).test(summary) || plain(summary).includes(plain(text));
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
