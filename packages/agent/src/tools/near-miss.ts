const MAX_WORK = 5_000_000;
const MAX_SHOWN = 12;

/** For a text that was not found: the most similar region and why it differs, or advice when there is none. */
export function describeNearMiss(content: string, wanted: string): string {
  if (wanted.split('\n').every((line) => /^\s*\d+\t/.test(line))) {
    return 'It seems to contain the line numbers that read_file shows: leave them out.';
  }
  const region = closestRegion(splitLines(content), splitLines(wanted));
  if (region === null) return 'No similar text was found: read the file again.';
  const shown = region.lines.slice(0, MAX_SHOWN).join('\n');
  const reason = region.sameButForSpace ? 'It differs only in white space.' : 'It differs in its text.';
  return `The closest text is at line ${region.line}. ${reason}\n${shown}`;
}

type Region = { readonly line: number; readonly lines: ReadonlyArray<string>; readonly sameButForSpace: boolean };

function closestRegion(content: ReadonlyArray<string>, wanted: ReadonlyArray<string>): Region | null {
  if (content.length * wanted.length > MAX_WORK) return null;
  const plainContent = content.map(plain);
  const plainWanted = wanted.map(plain);
  let best = { start: -1, score: 0 };
  for (let start = 0; start < content.length; start++) {
    const score = plainWanted.filter((line, index) => line !== '' && line === plainContent[start + index]).length;
    if (score > best.score) best = { start, score };
  }
  if (best.start < 0) return null;
  return {
    line: best.start + 1,
    lines: content.slice(best.start, best.start + wanted.length),
    sameButForSpace: best.score === plainWanted.filter((line) => line !== '').length,
  };
}

function plain(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

function splitLines(text: string): ReadonlyArray<string> {
  return text.split(/\r?\n/);
}
