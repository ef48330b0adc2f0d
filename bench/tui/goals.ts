const missed: string[] = [];

/** A row of the table: what was measured, and whether it is what was wanted. */
export function row(what: string, value: string, goals: ReadonlyArray<readonly [number, number]> = []): void {
  const isMet = goals.every(([is, most]) => is <= most);
  const wanted = goals.map(([, most]) => most).join('/');
  const verdict = goals.length === 0 ? '' : isMet ? `  (at most ${wanted}: met)` : `  (at most ${wanted}: MISSED)`;
  console.log(`  ${what.padEnd(52)} ${value}${verdict}`);
  if (!isMet) missed.push(`${what}: ${value}`);
}

export function verdict(): void {
  console.log(missed.length === 0 ? '\nEvery goal is met.' : `\nMissed:\n  ${missed.join('\n  ')}`);
  if (missed.length > 0) process.exitCode = 1;
}
