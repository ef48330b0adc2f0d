import type { Standing } from './rounds.ts';

export type Report = {
  readonly bench: string;
  /** What was done, in one line. */
  readonly what: string;
  readonly standings: ReadonlyArray<Standing>;
  /** Ratios that must hold, for a contender by name. */
  readonly target?: { readonly name: string; readonly wallRatio: number };
};

/** A table for people, then one line of JSON for machines. A missed target is reported, and fails the process. */
export function report({ bench, what, standings, target }: Report): void {
  console.log(`${what}\n`);
  const rows = standings.map(({ name, median, ratio }) => [
    name,
    `${median.wallMs.toFixed(2)} ms`,
    times(ratio.wallMs),
    `${median.cpuMs.toFixed(2)} ms`,
    times(ratio.cpuMs),
    `${median.peakMb.toFixed(1)} MB`,
    times(ratio.peakMb),
  ]);
  printTable([['', 'wall', '', 'cpu', '', 'peak memory', ''], ...rows]);
  const judged = standings.find(({ name }) => name === target?.name);
  const met = target === undefined || judged === undefined || judged.ratio.wallMs <= target.wallRatio;
  if (target !== undefined) {
    console.log(
      `\n${target.name}: ${times(judged?.ratio.wallMs ?? 0)} of wall time, at most ${target.wallRatio} wanted: ${met ? 'met' : 'MISSED'}`,
    );
  }
  console.log(JSON.stringify({ bench, what, standings, ...(target === undefined ? {} : { target, met }) }));
  if (!met) process.exitCode = 1;
}

function times(ratio: number): string {
  return `×${ratio.toFixed(2)}`;
}

function printTable(rows: ReadonlyArray<ReadonlyArray<string>>): void {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  for (const row of rows) {
    const cells = row.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(`  ${cells.join('  ')}`.trimEnd());
  }
}
