/** The known name that was probably meant: at most two letters off, and by less than half of its length. */
export function nearName(given: string, known: ReadonlyArray<string>): string | null {
  const measured = known
    .map((name) => ({ name, distance: distance(given.toLowerCase(), name.toLowerCase()) }))
    .toSorted((a, b) => a.distance - b.distance)[0];
  if (measured === undefined || measured.distance > 2 || measured.distance * 2 >= measured.name.length) return null;
  return measured.name;
}

/** Letters added, removed, changed or swapped with their neighbour. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j += 1) {
      const changed = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity;
      row.push(Math.min(changed, swapped, at(i - 1, j) + 1, (row[j - 1] ?? Infinity) + 1));
    }
  }
  return at(a.length, b.length);
}
