/*
 * The v4a patch format:
 *
 *   patch  := "*** Begin Patch" op+ "*** End Patch"
 *   op     := "*** Add File: " path  ("+" text)*
 *           | "*** Delete File: " path
 *           | "*** Update File: " path  ["*** Move to: " path]  hunk*
 *   hunk   := ("@@" [" " header])*  (" " text | "-" text | "+" text | "")+  ["*** End of File"]
 *
 * One element a line. An empty line in a hunk is an empty line of context. Several @@ lines in a row narrow the place step by step.
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
  readonly lines: ReadonlyArray<HunkLine>;
  readonly atEndOfFile: boolean;
};

export type HunkLine = { readonly kind: 'context' | 'add' | 'remove'; readonly text: string };

export type ParsedPatch =
  | { readonly ok: true; readonly operations: ReadonlyArray<PatchOperation> }
  | { readonly ok: false; readonly reason: string };

/** The operations of a patch, or what is wrong with its text and where. Never throws, whatever the text. */
export function parsePatch(text: string): ParsedPatch {
  const lines = linesOf(text);
  if (lines[0] !== '*** Begin Patch') return refused('The first line must be "*** Begin Patch".');
  if (lines.length < 2 || lines.at(-1) !== '*** End Patch') return refused('The last line must be "*** End Patch".');
  const reader: Reader = { lines: lines.slice(1, -1), at: 0 };
  const operations: PatchOperation[] = [];
  while (reader.at < reader.lines.length) {
    const operation = readOperation(reader);
    if (typeof operation === 'string') return refused(`Line ${reader.at + 2}: ${operation}`);
    operations.push(operation);
  }
  const problem = operations.length === 0 ? 'The patch has no operations.' : repeatedPath(operations);
  return problem === null ? { ok: true, operations } : refused(problem);
}

type Reader = { readonly lines: ReadonlyArray<string>; at: number };

/** A patch written with CRLF throughout means LF; a single stray CR is part of its line. */
function linesOf(text: string): ReadonlyArray<string> {
  const lines = text.trim().split('\n');
  const isCrlf = lines.length > 1 && lines.slice(0, -1).every((line) => line.endsWith('\r'));
  return isCrlf ? lines.map((line) => line.replace(/\r$/, '')) : lines;
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

function readAddition(reader: Reader, path: string): PatchOperation {
  const content: string[] = [];
  for (let line = reader.lines[reader.at]; line?.startsWith('+') === true; line = reader.lines[++reader.at]) {
    content.push(`${line.slice(1)}\n`);
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
  while (reader.at < reader.lines.length && !isOperationLine(reader.lines[reader.at] ?? '')) {
    const hunk = readHunk(reader);
    if (typeof hunk === 'string') return hunk;
    hunks.push(hunk);
  }
  if (hunks.length === 0 && moveTo === null) return `The update of ${path} changes nothing: it has no hunks.`;
  return { kind: 'update', path, moveTo, hunks };
}

function isOperationLine(line: string): boolean {
  return line.startsWith('*** ') && line !== END_OF_FILE;
}

const END_OF_FILE = '*** End of File';
const KINDS: Readonly<Record<string, HunkLine['kind']>> = { ' ': 'context', '-': 'remove', '+': 'add' };

function readHunk(reader: Reader): Hunk | string {
  const headers: string[] = [];
  for (let line = reader.lines[reader.at]; line?.startsWith('@@') === true; line = reader.lines[++reader.at]) {
    headers.push(line.slice(2).trim());
  }
  const lines: HunkLine[] = [];
  let atEndOfFile = false;
  for (; reader.at < reader.lines.length && !atEndOfFile; reader.at++) {
    const line = reader.lines[reader.at] ?? '';
    if (line.startsWith('@@') || isOperationLine(line)) break;
    atEndOfFile = line === END_OF_FILE;
    if (atEndOfFile) continue;
    const kind = line === '' ? 'context' : KINDS[line[0] ?? ''];
    if (kind === undefined) return `"${line.slice(0, 80)}" must begin with a space, "+" or "-".`;
    lines.push({ kind, text: line.slice(1) });
  }
  if (lines.length === 0) return 'A hunk has no lines.';
  const named = headers.filter(Boolean);
  return { contextHeader: named.at(-1) ?? null, outerHeaders: named.slice(0, -1), lines, atEndOfFile };
}

function problemOfPath(path: string): string | null {
  if (path.trim() === '') return 'The path is empty.';
  return /\p{Cc}/u.test(path) ? `The path ${JSON.stringify(path)} contains control characters.` : null;
}

function repeatedPath(operations: ReadonlyArray<PatchOperation>): string | null {
  const paths = operations.flatMap((operation) =>
    operation.kind === 'update' && operation.moveTo !== null ? [operation.path, operation.moveTo] : [operation.path],
  );
  const plain = paths.map((path) => path.replace(/^(?:\.\/)+/, ''));
  const repeated = plain.find((path, index) => plain.indexOf(path) !== index);
  return repeated === undefined ? null : `${repeated} is named twice: put all its hunks into one operation.`;
}

function refused(reason: string): ParsedPatch {
  return { ok: false, reason };
}
