/** Amounts as people read them. An unknown amount is called unknown, never guessed. */
export function costText(usd: number | null): string {
  if (usd === null) return 'unknown';
  const digits = usd > 0 && usd < 0.1 ? 4 : 2;
  return `$${usd.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
}

export function tokensText(tokens: number): string {
  return tokens.toLocaleString('en-US');
}

export function durationText(ms: number | null): string {
  if (ms === null) return '';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
