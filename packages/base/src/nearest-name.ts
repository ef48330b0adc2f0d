/** What a person probably meant: the known name with the fewest typos, or null if none is near. */
export function nearestName(typed: string, known: ReadonlyArray<string>): string | null {
  const [best] = known
    .map((name) => ({ name, slips: name.startsWith(typed) && typed.length > 1 ? 1 : slipsBetween(typed, name) }))
    .toSorted((one, other) => one.slips - other.slips);
  if (best === undefined || best.slips > Math.max(1, Math.floor(best.name.length / 3))) return null;
  return best.name;
}

/** Letters that were left out, added, changed, or swapped with their neighbour. */
function slipsBetween(one: string, other: string): number {
  let before: ReadonlyArray<number> = [];
  let row: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1;
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + cost,
          swapped ? (before[j - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
