/** A piece of a line, and whether it differs from the other side. */
export type MarkedPart = { readonly text: string; readonly isMarked: boolean };

type MarkedLines = { readonly removed: ReadonlyArray<MarkedPart>; readonly added: ReadonlyArray<MarkedPart> };

/** Longer lines are marked as a whole: comparing their words would take too long. */
const LONGEST = 2_000;
const MOST_WORDS = 200;

/** What changed between two versions of a line, word by word. */
export function markWords(removed: string, added: string): MarkedLines {
  const [before, after] = [wordsOf(removed), wordsOf(added)];
  if (removed.length + added.length > LONGEST || before.length > MOST_WORDS || after.length > MOST_WORDS)
    return { removed: whole(removed), added: whole(added) };
  const common = commonWords(before, after);
  return { removed: parts(before, common.before), added: parts(after, common.after) };
}

function whole(text: string): ReadonlyArray<MarkedPart> {
  return [{ text, isMarked: false }];
}

function wordsOf(line: string): ReadonlyArray<string> {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** The places of the longest common row of words in both. */
function commonWords(before: ReadonlyArray<string>, after: ReadonlyArray<string>) {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const found = { before: new Set<number>(), after: new Set<number>() };
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    if (before[i] === after[j]) {
      found.before.add(i);
      found.after.add(j);
      i += 1;
      j += 1;
    } else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return found;
}

function parts(words: ReadonlyArray<string>, common: ReadonlySet<number>): ReadonlyArray<MarkedPart> {
  const joined: Array<{ text: string; isMarked: boolean }> = [];
  words.forEach((text, at) => {
    const last = joined.at(-1);
    const isMarked = !common.has(at);
    if (last?.isMarked === isMarked) last.text += text;
    else joined.push({ text, isMarked });
  });
  return joined;
}
