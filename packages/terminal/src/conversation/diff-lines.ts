import { type ChangedLines, changedOnly } from '@attractor/tool-table';
import { type Line, plainLine, type Role, type Span } from '../themes/line.ts';

/** A change as lines in colour. Lines that were taken out and put in side by side have the words marked in which they differ. */
export function diffLines(shown: string): ReadonlyArray<Line> {
  const lines = shown.split('\n');
  const out: Line[] = [];
  let at = 0;
  while (at < lines.length) {
    const removed = run(lines, at, '-');
    const added = run(lines, at + removed.length, '+');
    if (removed.length === 0 && added.length === 0) {
      out.push(plainLine(lines[at] ?? '', at === 0 || isHead(lines[at] ?? '') ? 'accent' : 'plain'));
      at += 1;
      continue;
    }
    out.push(...marked(changedOnly(removed, added)));
    at += removed.length + added.length;
  }
  return out;
}

function isHead(line: string): boolean {
  return /^(?:@@|\*\*\* |diff |index )/.test(line);
}

function run(lines: ReadonlyArray<string>, from: number, mark: string): ReadonlyArray<string> {
  let end = from;
  while (end < lines.length && (lines[end] ?? '').startsWith(mark)) end += 1;
  return lines.slice(from, end).map((line) => line.slice(1));
}

function marked({ before, removed, added, after }: ChangedLines): ReadonlyArray<Line> {
  const pairs = removed.length === added.length;
  const same = (line: string): Line => plainLine(`  ${line}`, 'dim');
  return [
    ...before.map(same),
    ...removed.map((line, at) => changedLine('- ', line, pairs ? (added[at] ?? '') : null, ['removed', 'removedWord'])),
    ...added.map((line, at) => changedLine('+ ', line, pairs ? (removed[at] ?? '') : null, ['added', 'addedWord'])),
    ...after.map(same),
  ];
}

function changedLine(mark: string, line: string, other: string | null, [role, wordRole]: readonly [Role, Role]): Line {
  const spans: Span[] = [{ text: mark, role }];
  const [from, end] = other === null ? [0, 0] : differing(line, other);
  // Where most of a line is different, marks only get in the way.
  if (other === null || end - from === 0 || end - from > line.length * 0.7) return [...spans, { text: line, role }];
  const pieces: ReadonlyArray<Span> = [
    { text: line.slice(0, from), role },
    { text: line.slice(from, end), role: wordRole },
    { text: line.slice(end), role },
  ];
  return [...spans, ...pieces.filter(({ text }) => text !== '')];
}

/** From where to where two lines differ, widened to whole words. */
function differing(line: string, other: string): readonly [number, number] {
  const most = Math.min(line.length, other.length);
  let from = 0;
  while (from < most && line[from] === other[from]) from += 1;
  let tail = 0;
  while (tail < most - from && line.at(-1 - tail) === other.at(-1 - tail)) tail += 1;
  let end = line.length - tail;
  while (from > 0 && /\w/.test(line[from - 1] ?? '') && /\w/.test(line[from] ?? '')) from -= 1;
  while (end < line.length && /\w/.test(line[end] ?? '') && /\w/.test(line[end - 1] ?? '')) end += 1;
  return [from, end];
}
