import { describeClosest } from './near-miss.ts';
import { ignoresIndentation } from './equivalence.ts';
import { joinFile, splitFile, type FileLine, type FileText, type LineEnd } from './file-lines.ts';
import { carryIndentation } from './indentation.ts';
import { createLineIndex, SearchTooLong, type LineIndex } from './line-index.ts';
import { locateHunk, oldLines, type HunkPlace } from './locate.ts';
import type { Hunk, HunkLine } from './parse.ts';

/** `notes` mention each hunk that only matched after ignoring a difference. */
export type Applied =
  | { readonly ok: true; readonly content: string; readonly notes: ReadonlyArray<string> }
  | { readonly ok: false; readonly reason: string };

/** Pure: the content after all hunks, in the order of the file, or why one does not apply. Bytes outside the hunks stay as they are. */
export function applyHunks(content: string, hunks: ReadonlyArray<Hunk>): Applied {
  const work = prepare(content, hunks);
  try {
    for (const [index, hunk] of hunks.entries()) {
      const problem = applyOne(work, hunk, index + 1);
      if (problem !== null) return { ok: false, reason: `hunk ${index + 1} of ${hunks.length} ${problem}` };
    }
  } catch (error) {
    if (!(error instanceof SearchTooLong)) throw error;
    return {
      ok: false,
      reason: 'its hunks fit too many places to search them all: use fewer hunks, with more context.',
    };
  }
  return { ok: true, content: joinFile(work.file, assemble(work), finalNewLine(work, hunks)), notes: work.notes };
}

type Splice = { readonly at: number; readonly remove: number; readonly add: ReadonlyArray<FileLine> };

type Work = {
  readonly file: FileText;
  readonly plain: LineIndex;
  /** Line endings as part of the text, for hunks that spell them out. */
  readonly literal: () => LineIndex;
  readonly splices: Splice[];
  readonly notes: string[];
  /** The positions after the last changed line, and after the last hunk: lines between are context and may be used again. */
  changedUpTo: number;
  coveredUpTo: number;
};

function prepare(content: string, hunks: ReadonlyArray<Hunk>): Work {
  const file = namesMark(hunks) ? withMark(splitFile(content)) : splitFile(content);
  let literal: LineIndex | undefined;
  return {
    file,
    plain: createLineIndex(file.lines.map(({ text }) => text)),
    literal: () =>
      (literal ??= createLineIndex(file.lines.map(({ text, end }) => (end === '\r\n' ? `${text}\r` : text)))),
    splices: [],
    notes: [],
    changedUpTo: 0,
    coveredUpTo: 0,
  };
}

/** A patch that contains the byte order mark means it; otherwise it is left alone. */
function namesMark(hunks: ReadonlyArray<Hunk>): boolean {
  return hunks.some((hunk) => hunk.lines.some(({ kind, text }) => kind !== 'add' && text.startsWith('\ufeff')));
}

function withMark(file: FileText): FileText {
  const [first, ...rest] = file.lines;
  if (first === undefined || file.mark === '') return file;
  return { ...file, mark: '', lines: [{ ...first, text: file.mark + first.text }, ...rest] };
}

function applyOne(work: Work, hunk: Hunk, number: number): string | null {
  const isLiteral = hunk.lines.some(({ text }) => text.endsWith('\r'));
  const index = isLiteral ? work.literal() : work.plain;
  const place = find(hunk, index, work);
  if (!place.ok) return describeFailure(hunk, index, { place, work });
  const carry = ignoresIndentation(place.rule)
    ? carryIndentation(pairsOf(hunk, index, place.at))
    : (line: string) => line;
  const placed = { hunk, file: work.file, at: place.at, isLiteral };
  const carried = splicesOf(placed, carry ?? (() => null));
  // As Codex does: where the file does not tell how new lines are indented, they are taken as written.
  const splices = carried ?? splicesOf(placed, (line) => line) ?? [];
  if (carried === null) work.notes.push(`hunk ${number}: ${AS_WRITTEN}`);
  work.splices.push(...splices);
  work.coveredUpTo = place.at + oldLines(hunk).length;
  const last = splices.at(-1);
  if (last !== undefined) work.changedUpTo = last.at + last.remove;
  if (place.rule.name !== 'exact') {
    work.notes.push(`hunk ${number} was found at line ${place.at + 1}, not counting differences in ${place.rule.name}`);
  }
  return null;
}

const AS_WRITTEN =
  'the lines around it are indented differently in the file, so its new lines were put in as written: look whether they stand where they should';

function find(hunk: Hunk, index: LineIndex, work: Work): HunkPlace {
  const place = locateHunk(hunk, index, work.coveredUpTo);
  if (place.ok || place.problem === 'ambiguous' || work.changedUpTo === work.coveredUpTo) return place;
  const again = locateHunk(hunk, index, work.changedUpTo);
  return again.ok ? again : place;
}

function pairsOf(hunk: Hunk, index: LineIndex, at: number) {
  return oldLines(hunk).map((asked, offset) => ({ asked, found: index.text(at + offset) }));
}

type Placed = { readonly hunk: Hunk; readonly file: FileText; readonly at: number; readonly isLiteral: boolean };

/** Context keeps the file's own line, even if the patch spelled it slightly differently. Null: an added line can't be indented. */
function splicesOf({ hunk, file, at, isLiteral }: Placed, carry: (line: string) => string | null): Splice[] | null {
  const splices: { at: number; remove: number; add: FileLine[] }[] = [];
  let next = at;
  for (const { kind, text, noNewLine } of hunk.lines) {
    const open = splices.at(-1);
    const current = open !== undefined && open.at + open.remove === next ? open : { at: next, remove: 0, add: [] };
    if (kind === 'context') {
      next++;
      continue;
    }
    if (current !== open) splices.push(current);
    if (kind === 'remove') {
      current.remove++;
      next++;
      continue;
    }
    const carried = carry(text);
    if (carried === null) return null;
    current.add.push(isLiteral ? literalLine(carried, noNewLine) : { text: carried, end: endBeside(file, next) });
  }
  return splices;
}

function literalLine(text: string, noNewLine: true | undefined): FileLine {
  if (noNewLine) return { text, end: '' };
  return text.endsWith('\r') ? { text: text.slice(0, -1), end: '\r\n' } : { text, end: '\n' };
}

/** A new line ends like the line before it, otherwise like the one after it. */
function endBeside(file: FileText, at: number): LineEnd {
  return file.lines[at - 1]?.end || file.lines[at]?.end || file.newLine;
}

function assemble({ file, splices }: Work): ReadonlyArray<FileLine> {
  const result: FileLine[] = [];
  let from = 0;
  for (const { at, remove, add } of splices) {
    for (let line = from; line < at; line++) pushLine(result, file.lines[line]);
    for (const line of add) result.push(line);
    from = at + remove;
  }
  for (let line = from; line < file.lines.length; line++) pushLine(result, file.lines[line]);
  return result;
}

function pushLine(result: FileLine[], line: FileLine | undefined): void {
  if (line !== undefined) result.push(line);
}

/** Only a patch that marks a line as having no newline says anything about the end of the file. */
function finalNewLine({ file }: Work, hunks: ReadonlyArray<Hunk>): boolean {
  const marked = hunks.flatMap((hunk) => hunk.lines).filter((line) => line.noNewLine === true);
  if (marked.length === 0) return file.endsWithNewLine;
  return marked.every((line: HunkLine) => line.kind === 'remove');
}

type Failure = { readonly place: Extract<HunkPlace, { ok: false }>; readonly work: Work };

function describeFailure(hunk: Hunk, index: LineIndex, { place, work }: Failure): string {
  if (place.problem === 'ambiguous') {
    const lines = place.lines.map((line) => line + 1);
    const overlooking = place.rule.name === 'exact' ? '' : `, not counting ${place.rule.name},`;
    return `fits ${lines.length} places${overlooking} (lines ${lines.join(', ')}): add lines of context, or an @@ line that names the function or class.`;
  }
  const earlier = work.coveredUpTo === 0 ? null : locateHunk(hunk, index, 0);
  if (earlier?.ok === true) {
    return `stands at line ${earlier.at + 1}, in or before the lines of the hunk before it: hunks must follow the order of the file and not overlap.`;
  }
  const wanted = place.problem === 'header not found' ? [place.header] : oldLines(hunk);
  const what =
    place.problem === 'header not found'
      ? `names a line that does not follow: @@ ${place.header}`
      : `was not found${hunk.atEndOfFile ? ' at the end of the file' : ''}:\n${wanted.slice(0, 8).join('\n')}\nRead the file again and copy the lines exactly.`;
  return `${what}\n${describeClosest(work.file.lines, wanted)}`;
}
