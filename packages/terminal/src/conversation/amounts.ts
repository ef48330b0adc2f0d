/** `12k`, `1.3M`. */
export function showCount(count: number): string {
  if (count < 1_000) return String(count);
  if (count < 1_000_000) return `${(count / 1_000).toFixed(count < 10_000 ? 1 : 0)}k`;
  return `${(count / 1_000_000).toFixed(1)}M`;
}

/** An unknown cost is said to be unknown, never nothing. */
export function showCost(cost: number | null): string {
  if (cost === null) return 'cost unknown';
  return cost > 0 && cost < 0.01 ? '<$0.01' : `$${cost.toFixed(2)}`;
}

export function showSeconds(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m ${String(seconds % 60).padStart(2, '0')}s`;
}
