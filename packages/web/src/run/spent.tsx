import type { Spent } from '@attractor/api';
import { showCost, showTokens } from '@attractor/api/shown';

/** Tokens and money, as far as they are known. */
export function SpentTable({ spent }: { readonly spent: Spent }) {
  const tokens: ReadonlyArray<readonly [string, number]> = [
    ['Input', spent.inputTokens],
    ['Cache read', spent.cacheReadTokens],
    ['Cache write', spent.cacheWriteTokens],
    ['Output', spent.outputTokens],
  ];
  const rows: ReadonlyArray<readonly [string, string]> = [
    ...tokens.filter(([, count]) => count > 0).map(([name, count]) => [name, showTokens(count)] as const),
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
