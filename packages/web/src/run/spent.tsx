import type { Spent } from '@attractor/api';
import { showCost, showTokens } from '../ui/amounts.ts';

/** Tokens and money, as far as they are known. */
export function SpentTable({ spent }: { readonly spent: Spent }) {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ['Input', showTokens(spent.inputTokens)],
    ['Cache read', showTokens(spent.cacheReadTokens)],
    ['Cache write', showTokens(spent.cacheWriteTokens)],
    ['Output', showTokens(spent.outputTokens)],
    ['Cost', spent.costUsd === null ? 'unknown' : showCost(spent.costUsd)],
  ];
  return (
    <dl className="flex flex-col text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="flex min-h-6 items-baseline justify-between">
          <dt className="text-soft">{name}</dt>
          <dd className={`tabular-nums ${name === 'Cost' ? 'font-medium' : ''}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
