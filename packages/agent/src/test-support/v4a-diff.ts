import { type FileLine, type FileText, splitFile } from '@attractor/patch/testing';

export type DiffOptions = { readonly path: string; readonly context: number };

/** The v4a patch that turns `a` into `b`; null when they are the same. Shares only the line model with the code that applies patches. */
export function v4aDiff(a: string, b: string, { path, context }: DiffOptions): string | null {
  if (a === b) return null;
  const keepsMark = a.startsWith('\ufeff') !== b.startsWith('\ufeff');
  const [before, after] = [unitsOf(splitFile(a), keepsMark), unitsOf(splitFile(b), keepsMark)];
  const edits = diffLines(before, after);
  const hunks = groupEdits(edits, context).map((group) => hunkText(group));
  return ['*** Begin Patch', `*** Update File: ${path}`, ...hunks.flat(), '*** End Patch'].join('\n');
}

type Unit = FileLine;
type Edit = { readonly kind: ' ' | '-' | '+'; readonly unit: Unit; readonly line: number };

function unitsOf(file: FileText, keepsMark: boolean): ReadonlyArray<Unit> {
  return file.lines.map((line, index) =>
    index === 0 && keepsMark ? { text: file.mark + line.text, end: line.end } : line,
  );
}

/** Uses the longest common subsequence; the files in tests are short. */
function diffLines(a: ReadonlyArray<Unit>, b: ReadonlyArray<Unit>): ReadonlyArray<Edit> {
  const same = (i: number, j: number): boolean => a[i]?.text === b[j]?.text && a[i]?.end === b[j]?.end;
  const longest = Array.from({ length: a.length + 1 }, () => Array.from({ length: b.length + 1 }, () => 0));
  const at = (i: number, j: number): number => longest[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = longest[i];
      if (row !== undefined) row[j] = same(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const edits: Edit[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    const [left, right] = [a[i], b[j]];
    if (left !== undefined && right !== undefined && same(i, j)) {
      edits.push({ kind: ' ', unit: left, line: i++ });
      j++;
    } else if (left !== undefined && (right === undefined || at(i + 1, j) >= at(i, j + 1))) {
      edits.push({ kind: '-', unit: left, line: i++ });
    } else if (right !== undefined) {
      edits.push({ kind: '+', unit: right, line: i });
      j++;
    }
  }
  return edits;
}

function groupEdits(edits: ReadonlyArray<Edit>, context: number): ReadonlyArray<ReadonlyArray<Edit>> {
  const near = (index: number): boolean =>
    edits.slice(Math.max(0, index - context), index + context + 1).some(({ kind }) => kind !== ' ');
  const groups: Edit[][] = [];
  let open = false;
  for (const [index, edit] of edits.entries()) {
    const keep = near(index);
    if (keep && open) groups.at(-1)?.push(edit);
    else if (keep) groups.push([edit]);
    open = keep;
  }
  return groups;
}

/** Line endings are spelled out unless all lines of the hunk end with CRLF, which a file of such lines implies anyway. */
function hunkText(group: ReadonlyArray<Edit>): ReadonlyArray<string> {
  const isPlain = group.every(({ unit }) => unit.end === '\r\n') && group.some(({ kind }) => kind !== '+');
  const first = (group.find(({ kind }) => kind !== '+') ?? group[0])?.line ?? 0;
  const lines = group.flatMap(({ kind, unit }) => [
    `${kind}${unit.text}${unit.end === '\r\n' && !isPlain ? '\r' : ''}`,
    ...(unit.end === '' ? ['\\ No newline at end of file'] : []),
  ]);
  return [`@@ -${first + 1},1 +1,1 @@`, ...lines];
}
