export type Place = { readonly ok: true; readonly at: number } | { readonly ok: false; readonly found: number };

export type Search = {
  readonly lines: ReadonlyArray<string>;
  readonly from: number;
  readonly wanted: ReadonlyArray<string>;
};

/** From strict to lenient; the first rule under which the lines occur decides. */
const RULES: ReadonlyArray<(line: string) => string> = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
  (line) => plainPunctuation(line).trim(),
];

/** Where the wanted lines stand, at or after `from`. More than one place under the same rule is no answer: nothing is guessed. */
export function locate(search: Search): Place {
  for (const rule of RULES) {
    const places = placesUnder(rule, search);
    if (places.length > 0)
      return places.length === 1 ? { ok: true, at: places[0] ?? 0 } : { ok: false, found: places.length };
  }
  return { ok: false, found: 0 };
}

/** Like `locate`, but the first place is enough: for lines that only narrow the search. */
export function locateFirst(search: Search): Place {
  for (const rule of RULES) {
    const at = placesUnder(rule, search)[0];
    if (at !== undefined) return { ok: true, at };
  }
  return { ok: false, found: 0 };
}

function placesUnder(rule: (line: string) => string, { lines, from, wanted }: Search): ReadonlyArray<number> {
  const goal = wanted.map(rule);
  const places: number[] = [];
  for (let at = from; at + goal.length <= lines.length; at++) {
    if (goal.every((line, index) => rule(lines[at + index] ?? '') === line)) places.push(at);
  }
  return places;
}

/** Models often write plain characters where a file has typographic ones. */
const PUNCTUATION: ReadonlyArray<readonly [RegExp, string]> = [
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u2018-\u201b]/g, "'"],
  [/[\u201c-\u201f]/g, '"'],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
  [/\u2026/g, '...'],
];

function plainPunctuation(line: string): string {
  return PUNCTUATION.reduce((text, [pattern, plain]) => text.replaceAll(pattern, plain), line);
}
