import type { Rule } from './equivalence.ts';

/** Start lines, both ends included. */
export type Range = { readonly from: number; readonly to: number };

export type LineIndex = {
  readonly length: number;
  /** Where the wanted lines occur under the rule, starting inside the range; at most `limit` places, in order. */
  readonly places: (rule: Rule, wanted: ReadonlyArray<string>, where: Range & { readonly limit: number }) => number[];
  readonly text: (line: number) => string;
};

/** Thrown if a search would take too long: thousands of hunks over a file of equal lines. */
export class SearchTooLong extends Error {}

const MAX_COMPARISONS = 20_000_000;

/** Finds runs of lines quickly: each line's places are indexed by rule, and a search starts from the rarest of the wanted lines. */
export function createLineIndex(lines: ReadonlyArray<string>): LineIndex {
  const tables = new Map<Rule, Table>();
  let comparisons = 0;
  const tableOf = (rule: Rule): Table => {
    const table = tables.get(rule) ?? buildTable(lines, rule);
    tables.set(rule, table);
    return table;
  };
  return {
    length: lines.length,
    text: (line) => lines[line] ?? '',
    places(rule, wanted, { from, to, limit }) {
      const { keys, at } = tableOf(rule);
      const goal = wanted.map(rule.key);
      const anchor = rarest(goal, at);
      const found: number[] = [];
      const candidates = at.get(goal[anchor] ?? '') ?? [];
      for (let next = firstAtLeast(candidates, from + anchor); next < candidates.length; next++) {
        const start = (candidates[next] ?? 0) - anchor;
        if (start > to || found.length === limit) break;
        if (start + goal.length > lines.length) continue;
        const same = goal.findIndex((key, offset) => keys[start + offset] !== key);
        comparisons += same < 0 ? goal.length : same + 1;
        if (comparisons > MAX_COMPARISONS) throw new SearchTooLong();
        if (same < 0) found.push(start);
      }
      return found;
    },
  };
}

type Table = { readonly keys: ReadonlyArray<string>; readonly at: ReadonlyMap<string, ReadonlyArray<number>> };

function buildTable(lines: ReadonlyArray<string>, rule: Rule): Table {
  const keys = lines.map(rule.key);
  const at = new Map<string, number[]>();
  keys.forEach((key, line) => {
    const places = at.get(key);
    if (places === undefined) at.set(key, [line]);
    else places.push(line);
  });
  return { keys, at };
}

function rarest(goal: ReadonlyArray<string>, at: Table['at']): number {
  let best = 0;
  let fewest = Infinity;
  goal.forEach((key, index) => {
    const count = at.get(key)?.length ?? 0;
    if (count < fewest) [best, fewest] = [index, count];
  });
  return best;
}

function firstAtLeast(sorted: ReadonlyArray<number>, wanted: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
