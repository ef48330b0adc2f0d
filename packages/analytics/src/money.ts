const NANO = 1_000_000_000;

/** Money is kept in billionths of a dollar: the cheapest token costs several of them, and sums of integers are exact in any order. */
export function toNano(usd: number): number {
  return Math.round(usd * NANO);
}

export function toUsd(nano: number): number {
  return nano / NANO;
}

/** "$1,234.50", "$0.067": thousands are told apart, and small amounts keep two digits that say something. */
export function showUsd(nano: number): string {
  const usd = toUsd(nano);
  return `$${usd >= 1 || usd === 0 ? usd.toLocaleString('en-US', CENTS) : usd.toPrecision(2)}`;
}

const CENTS = { minimumFractionDigits: 2, maximumFractionDigits: 2 } as const;

/** "120,000 tokens". */
export function showTokenCount(tokens: number): string {
  return `${tokens.toLocaleString('en-US')} tokens`;
}
