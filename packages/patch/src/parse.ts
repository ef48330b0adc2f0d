import { defined } from '@attractor/base';

/*
 * The v4a patch format, one element per line:
 *
 *   patch  := "*** Begin Patch" op+ "*** End Patch"
 *   op     := "*** Add File: " path  ("+" text [mark])*
 *           | "*** Delete File: " path
 *           | "*** Update File: " path  ["*** Move to: " path]  hunk*        (no hunk only with a move)
 *   hunk   := header*  line+  ["*** End of File"]                            (a hunk after another one has a header)
 *   header := "@@" [" " text]  |  "@@ -" range " +" range " @@" [" " text]   (several narrow the place step by step)
 *   line   := (" " text | "-" text | "+" text | "") [mark]                   ("" is an empty line of context)
 *   mark   := "\ No newline at end of file"
 *
 * "*** End of File": the hunk's lines are the last ones of the file. Without a mark the file ends as before.
 * A line that ends with a carriage return makes its hunk literal: the line endings of all its lines are then meant as written.
 * A patch written with CRLF throughout, or in a line that names a file, means LF. "@@ text @@" is "@@ text". A here-document or a code
 * fence around the patch is tolerated.
 */

export type PatchOperation =
  | { readonly kind: 'add'; readonly path: string; readonly content: string }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly moveTo: string | null;
      readonly hunks: ReadonlyArray<Hunk>;
    };

export type Hunk = {
  /** The innermost @@ line; `outerHeaders` are those before it. */
  readonly contextHeader: string | null;
  readonly outerHeaders: ReadonlyArray<string>;
  /** From a header with ranges; it only decides between places that match equally well. */
  readonly lineNumber?: number;
  readonly lines: ReadonlyArray<HunkLine>;
  readonly atEndOfFile: boolean;
};

export type HunkLine = {
  readonly kind: 'context' | 'add' | 'remove';
  readonly text: string;
  readonly noNewLine?: true;
};

export type ParsedPatch =
  | { readonly ok: true; readonly operations: ReadonlyArray<PatchOperation> }
  | { readonly ok: false; readonly reason: string };

const MAX_CHARACTERS = 20_000_000;

/** The operations of a patch, or what is wrong with its text and where. Never throws, for any text. */
export function parsePatch(text: string): ParsedPatch {
  const unusable = problemOfText(text);
  if (unusable !== null) return refused(unusable);
  const { lines, skipped } = unwrap(linesOf(text));
  if (lines[0]?.trim() !== BEGIN) return refused(`The first line must be "${BEGIN}".`);
  if (lines.length < 2 || lines.at(-1)?.trim() !== END) return refused(`The last line must be "${END}".`);
  const reader: Reader = { lines: lines.slice(1, -1), at: 0 };
  const operations: PatchOperation[] = [];
  while (skipBlank(reader) < reader.lines.length) {
    const operation = readOperation(reader);
    if (typeof operation === 'string') return refused(`Line ${reader.at + skipped + 2}: ${operation}`);
    operations.push(operation);
  }
  const problem = operations.length === 0 ? 'The patch has no operations.' : repeatedPath(operations);
  return problem === null ? { ok: true, operations } : refused(problem);
}

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const END_OF_FILE = '*** End of File';
const NO_NEW_LINE = /^\\ No newline at end of file\r?$/;

type Reader = { readonly lines: ReadonlyArray<string>; at: number };

function problemOfText(text: string): string | null {
  if (text.length > MAX_CHARACTERS) return `The patch has more than ${MAX_CHARACTERS} characters: make several.`;
  if (text.includes('\0')) return 'The patch contains a NUL character: only text can be patched.';
  return text.isWellFormed() ? null : 'The patch is not valid Unicode text.';
}

/** A patch written with CRLF means LF; a single stray CR is part of its line. */
function linesOf(text: string): ReadonlyArray<string> {
  const lines = text.replace(/^\s+/, '').trimEnd().split('\n');
  // No path ends with a carriage return: where a line that names one does, whoever wrote the patch writes CRLF.
  const isCrlf =
    (lines.length > 1 && lines.slice(0, -1).every((line) => line.endsWith('\r'))) ||
    lines.some((line) => /^\*\*\* (?:Add|Delete|Update) File: .*\r$/.test(line));
  return isCrlf ? lines.map((line) => line.replace(/\r$/, '')) : lines;
}

const HERE_DOCUMENT = /^(?:\S*apply_patch\s+)?<<-?\s*(['"]?)(\w+)\1\s*$/;
const FENCE = /^```\w*\s*$/;

/** `skipped` lines come before the patch itself. */
function unwrap(lines: ReadonlyArray<string>): { readonly lines: ReadonlyArray<string>; readonly skipped: number } {
  const first = lines[0] ?? '';
  const last = lines.at(-1)?.trim();
  const closing = FENCE.test(first) ? '```' : HERE_DOCUMENT.exec(first)?.[2];
  if (closing === undefined) return { lines, skipped: 0 };
  const inner = unwrap(lines.slice(1, last === closing ? -1 : undefined));
  return { lines: inner.lines, skipped: inner.skipped + 1 };
}

function skipBlank(reader: Reader): number {
  while (reader.lines[reader.at]?.trim() === '') reader.at++;
  return reader.at;
}

const HEADERS = {
  add: '*** Add File: ',
  delete: '*** Delete File: ',
  update: '*** Update File: ',
  move: '*** Move to: ',
} as const;

function readOperation(reader: Reader): PatchOperation | string {
  const line = reader.lines[reader.at] ?? '';
  const kind = (['add', 'delete', 'update'] as const).find((name) => line.startsWith(HEADERS[name]));
  if (kind === undefined) return `"${line.slice(0, 80)}" is not an Add File, Delete File or Update File line.`;
  const path = line.slice(HEADERS[kind].length);
  const problem = problemOfPath(path);
  if (problem !== null) return problem;
  reader.at++;
  if (kind === 'delete') return { kind, path };
  return kind === 'add' ? readAddition(reader, path) : readUpdate(reader, path);
}

function readAddition(reader: Reader, path: string): PatchOperation | string {
  const content: string[] = [];
  for (let line = reader.lines[reader.at]; line?.startsWith('+') === true; line = reader.lines[++reader.at]) {
    content.push(`${line.slice(1)}\n`);
  }
  if (NO_NEW_LINE.test(reader.lines[reader.at] ?? '')) {
    content.push(content.pop()?.slice(0, -1) ?? '');
    reader.at++;
  }
  skipBlank(reader);
  const next = reader.lines[reader.at];
  if (next !== undefined && !isOperationLine(next)) {
    return `"${next.slice(0, 80)}" in the new file ${path} must begin with "+".`;
  }
  return { kind: 'add', path, content: content.join('') };
}

function readUpdate(reader: Reader, path: string): PatchOperation | string {
  let moveTo: string | null = null;
  const next = reader.lines[reader.at] ?? '';
  if (next.startsWith(HEADERS.move)) {
    moveTo = next.slice(HEADERS.move.length);
    const problem = problemOfPath(moveTo);
    if (problem !== null) return problem;
    reader.at++;
  }
  const hunks: Hunk[] = [];
  while (skipBlankEnd(reader) < reader.lines.length && !isOperationLine(reader.lines[reader.at] ?? '')) {
    const hunk = readHunk(reader, moveTo !== null);
    if (typeof hunk === 'string') return hunk;
    hunks.push(hunk);
  }
  if (hunks.length === 0 && moveTo === null) return `The update of ${path} changes nothing: it has no hunks.`;
  return { kind: 'update', path, moveTo: moveTo === path ? null : moveTo, hunks };
}

/** Blank lines before a header, the next operation or the end are ignored. */
function skipBlankEnd(reader: Reader): number {
  const before = reader.at;
  const next = reader.lines[skipBlank(reader)];
  if (next !== undefined && !next.startsWith('@@') && !isOperationLine(next)) reader.at = before;
  return reader.at;
}

function isOperationLine(line: string): boolean {
  return line.startsWith('*** ') && line.trimEnd() !== END_OF_FILE;
}

const KINDS: Readonly<Record<string, HunkLine['kind']>> = { ' ': 'context', '-': 'remove', '+': 'add' };

/** A hunk of context alone only says which file is meant; that is enough for one that is moved. */
function readHunk(reader: Reader, isMoved: boolean): Hunk | string {
  const headers = readHeaders(reader);
  const lines: HunkLine[] = [];
  let atEndOfFile = false;
  for (; reader.at < reader.lines.length && !atEndOfFile; reader.at++) {
    const line = reader.lines[reader.at] ?? '';
    if (line.startsWith('@@') || isOperationLine(line)) break;
    atEndOfFile = line.trimEnd() === END_OF_FILE;
    if (atEndOfFile) continue;
    const problem = readLine(line, lines);
    if (problem !== null) return problem;
  }
  if (lines.length === 0) return 'A hunk has no lines.';
  if (!isMoved && lines.every(({ kind }) => kind === 'context'))
    return 'A hunk changes nothing: it has no "+" or "-" line.';
  return { ...headers, lines: reader.lines[reader.at - 1] === '' ? withoutBlankEnd(lines) : lines, atEndOfFile };
}

function readLine(line: string, lines: HunkLine[]): string | null {
  const last = lines.at(-1);
  if (NO_NEW_LINE.test(line) && last !== undefined) {
    lines[lines.length - 1] = { ...last, noNewLine: true };
    return null;
  }
  const kind = line === '' ? 'context' : KINDS[line[0] ?? ''];
  if (kind === undefined) return `"${line.slice(0, 80)}" must begin with a space, "+" or "-".`;
  lines.push({ kind, text: line.slice(1) });
  return null;
}

/** Empty lines without a prefix at the end of a hunk only separate it from what follows. */
function withoutBlankEnd(lines: ReadonlyArray<HunkLine>): ReadonlyArray<HunkLine> {
  const last = lines.findLastIndex(({ kind, text }) => kind !== 'context' || text !== '');
  return last < 0 ? lines : lines.slice(0, last + 1);
}

const RANGES = /^-(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@ ?/;

function readHeaders(reader: Reader): Pick<Hunk, 'contextHeader' | 'outerHeaders' | 'lineNumber'> {
  const headers: string[] = [];
  let lineNumber: number | undefined;
  for (let line = reader.lines[reader.at]; line?.startsWith('@@') === true; line = reader.lines[++reader.at]) {
    const whole = line.slice(line.startsWith('@@ ') ? 3 : 2).trimEnd();
    const text = RANGES.test(whole) ? whole : whole.replace(/(?<=\S) @@$/, '');
    const ranges = RANGES.exec(`${text} `);
    if (ranges !== null) lineNumber = Number(ranges[1]);
    else if (text.trim() !== '') headers.push(text);
  }
  return {
    contextHeader: headers.at(-1) ?? null,
    outerHeaders: headers.slice(0, -1),
    ...defined({ lineNumber }),
  };
}

function problemOfPath(path: string): string | null {
  if (path.trim() === '') return 'The path is empty.';
  return /\p{Cc}/u.test(path) ? `The path ${JSON.stringify(path)} contains control characters.` : null;
}

function repeatedPath(operations: ReadonlyArray<PatchOperation>): string | null {
  const seen = new Set<string>();
  for (const operation of operations) {
    const moveTo = operation.kind === 'update' ? operation.moveTo : null;
    for (const path of moveTo === null ? [operation.path] : [operation.path, moveTo]) {
      const plain = path.replace(/^(?:\.\/+)+/, '');
      if (seen.has(plain)) return `${plain} is named twice: put all its hunks into one operation.`;
      seen.add(plain);
    }
  }
  return null;
}

function refused(reason: string): ParsedPatch {
  return { ok: false, reason };
}
