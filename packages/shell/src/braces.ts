/** `{a,b}` and `{1..3}` as words, if they contain only plain characters; null for every other form. */
export function expandBraces(text: string): ReadonlyArray<string> | null {
  const list = /^\{([\w./@+-]*(?:,[\w./@+-]*)+)\}$/.exec(text);
  if (list?.[1] !== undefined && !list[1].includes('..')) return list[1].split(',');
  const range = /^\{(0|[1-9]\d{0,3})\.\.(0|[1-9]\d{0,3})\}$/.exec(text);
  if (range?.[1] === undefined || range[2] === undefined) return null;
  return count(Number(range[1]), Number(range[2]));
}

function count(from: number, to: number): ReadonlyArray<string> {
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => String(from + index * step));
}
