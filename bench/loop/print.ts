import type { Summary } from './standing.ts';

export type LoadResult = {
  readonly name: string;
  readonly rounds: number;
  readonly floor: Summary;
  readonly attractor: Summary;
  /** Of the checkout that took turns, where one did. */
  readonly other: Summary | null;
  readonly ratio: Summary;
  /** The most that a ratio may be. */
  readonly limits: Partial<Summary>;
};

const COLUMNS: ReadonlyArray<{ readonly key: keyof Summary; readonly title: string; readonly unit: string }> = [
  { key: 'firstMs', title: 'spawn to first request', unit: ' ms' },
  { key: 'turnMs', title: 'answer to next request', unit: ' ms' },
  { key: 'growth', title: 'last 50 / first 50', unit: ' ×' },
  { key: 'cpuMs', title: 'cpu', unit: ' ms' },
  { key: 'peakMb', title: 'peak memory', unit: ' MB' },
];

export function printLoad({ name, rounds, floor, attractor, other, ratio, limits }: LoadResult): void {
  console.log(`\n${name} turns (medians of ${rounds} conversations each, taking turns)\n`);
  console.log(
    `  ${''.padEnd(24)}${'floor'.padStart(12)}${'attractor'.padStart(12)}${'ratio'.padStart(8)}   at most${other === null ? '' : '            other, ratio to it'}`,
  );
  for (const { key, title, unit } of COLUMNS) {
    const limit = limits[key];
    const verdict = limit === undefined ? '' : `${limit.toFixed(2)} ${ratio[key] <= limit ? 'met' : 'MISSED'}`;
    const values = [floor[key], attractor[key]].map((value) => `${value.toFixed(2)}${unit}`.padStart(12)).join('');
    const beside =
      other === null
        ? ''
        : `${`${other[key].toFixed(2)}${unit}`.padStart(12)}  ×${(attractor[key] / other[key]).toFixed(2)}`;
    console.log(
      `  ${title.padEnd(24)}${values}${ratio[key].toFixed(2).padStart(8)}   ${verdict.padEnd(12)}${beside}`.trimEnd(),
    );
  }
}

/** One line of JSON for machines. A missed limit fails the process. */
export function printVerdicts(results: ReadonlyArray<LoadResult>, loadAverage: ReadonlyArray<number>): void {
  const missed = results.flatMap(({ name, ratio, limits }) =>
    COLUMNS.filter(({ key }) => ratio[key] > (limits[key] ?? Infinity)).map(({ key }) => `${name} ${key}`),
  );
  console.log(`\nload average ${loadAverage.map((value) => value.toFixed(1)).join(', ')}`);
  console.log(missed.length === 0 ? 'every limit met' : `MISSED: ${missed.join(', ')}`);
  console.log(JSON.stringify({ bench: 'loop', results, loadAverage, missed }));
  if (missed.length > 0) process.exitCode = 1;
}
