/** How well a text fits what was typed, letter by letter in order; null: it does not. Beginnings of words and runs count more. */
export function fuzzyScore(typed: string, text: string): number | null {
  const wanted = typed.toLowerCase();
  const lower = text.toLowerCase();
  const whole = lower.indexOf(wanted);
  if (whole >= 0)
    return 1_000 - Math.min(whole, 200) - Math.min(text.length, 300) / 10 + (startsWord(text, whole) ? 200 : 0);
  let score = 0;
  let at = -1;
  for (const letter of wanted) {
    if (letter === ' ') continue;
    const found = lower.indexOf(letter, at + 1);
    if (found < 0) return null;
    score += found === at + 1 ? 8 : startsWord(text, found) ? 6 : 1;
    at = found;
  }
  return score - text.length / 20;
}

function startsWord(text: string, at: number): boolean {
  return at === 0 || /[/\s._-]/.test(text[at - 1] ?? '') || /[a-z][A-Z]/.test(text.slice(at - 1, at + 1));
}

/** The best of many, looked through in slices so that a key is never kept waiting. Null: something newer was asked meanwhile. */
export async function bestMatches(
  typed: string,
  texts: ReadonlyArray<string>,
  { most, isCurrent }: { readonly most: number; readonly isCurrent: () => boolean },
): Promise<ReadonlyArray<string> | null> {
  const found: Array<{ readonly text: string; readonly score: number }> = [];
  for (let from = 0; from < texts.length; from += SLICE) {
    if (from > 0) await new Promise((resolve) => setImmediate(resolve));
    if (!isCurrent()) return null;
    for (const text of texts.slice(from, from + SLICE)) {
      const score = fuzzyScore(typed, text);
      if (score !== null) found.push({ text, score });
    }
  }
  return found
    .toSorted((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ text }) => text);
}

const SLICE = 4_000;
