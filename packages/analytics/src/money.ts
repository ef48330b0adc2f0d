const NANO = 1_000_000_000;

/** Money is kept in billionths of a dollar: the cheapest token costs several of them, and sums of integers are exact in any order. */
export function toNano(usd: number): number {
  return Math.round(usd * NANO);
}

export function toUsd(nano: number): number {
  return nano / NANO;
}

export function showUsd(nano: number): string {
  const usd = toUsd(nano);
  return `$${usd >= 1 || usd === 0 ? usd.toFixed(2) : usd.toPrecision(2)}`;
}
