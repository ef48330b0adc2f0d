import { showCost, showDuration } from '@attractor/api/shown';

/** Amounts as people read them. An unknown amount is called unknown, never guessed. */
export function costText(usd: number | null): string {
  return usd === null ? 'unknown' : showCost(usd);
}

export function tokensText(tokens: number): string {
  return tokens.toLocaleString('en-US');
}

export function durationText(ms: number | null): string {
  return ms === null ? '' : showDuration(ms);
}
