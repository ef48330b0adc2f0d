/**
 * Git's unified diff, made without copies and colours:
 *
 *   diff    = { file }
 *   file    = "diff --git " paths NL { header NL } [ "--- " path NL "+++ " path NL { hunk } ]
 *   header  = "new file mode " … | "deleted file mode " … | "rename from " path | "rename to " path | "index " … | …
 *   hunk    = "@@ -" start [ "," count ] " +" start [ "," count ] " @@" [ " " section ] NL { line }
 *   line    = ( " " | "+" | "-" | "\" ) text NL
 *
 * A quoted path is written like a C string. Parsing never fails: a truncated diff is read as far as it goes.
 */
export type DiffLine = { readonly kind: 'context' | 'added' | 'removed'; readonly text: string };

export type DiffHunk = {
  readonly oldStart: number;
  readonly newStart: number;
  readonly section: string;
  readonly lines: ReadonlyArray<DiffLine>;
};

export type FileDiff = {
  readonly path: string;
  readonly status: 'added' | 'removed' | 'changed' | 'moved';
  /** Where it was before. */
  readonly movedFrom: string | null;
  readonly binary: boolean;
  readonly additions: number;
  readonly deletions: number;
  /** Names what the file held before and holds after: another text or picture, another name. */
  readonly contents: string;
  readonly hunks: ReadonlyArray<DiffHunk>;
};

export function readUnifiedDiff(text: string): ReadonlyArray<FileDiff> {
  return text
    .split(/(?<=\n)(?=diff --git )/)
    .filter((part) => part.startsWith('diff --git '))
    .map(readFile);
}

function readFile(part: string): FileDiff {
  const [header = '', ...hunkParts] = part.split(/(?<=\n)(?=@@ -)/);
  const hunks = hunkParts.map(readHunk);
  const count = (kind: DiffLine['kind']): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);
  return {
    path: pathOf(header),
    status: statusOf(header),
    movedFrom: lineAfter(header, 'rename from '),
    binary: /^(?:Binary files|GIT binary patch)/m.test(header),
    additions: count('added'),
    deletions: count('removed'),
    contents: lineAfter(header, 'index ') ?? '',
    hunks,
  };
}

function statusOf(header: string): FileDiff['status'] {
  if (/^new file mode/m.test(header)) return 'added';
  if (/^deleted file mode/m.test(header)) return 'removed';
  return lineAfter(header, 'rename to ') === null ? 'changed' : 'moved';
}

function lineAfter(header: string, mark: string): string | null {
  const line = header.split('\n').find((candidate) => candidate.startsWith(mark));
  return line === undefined ? null : unquote(line.slice(mark.length).replace(/\t$/, ''));
}

function pathOf(header: string): string {
  const moved = lineAfter(header, 'rename to ');
  if (moved !== null) return moved;
  for (const [mark, prefix] of [
    ['+++ ', 'b/'],
    ['--- ', 'a/'],
  ] as const) {
    const path = lineAfter(header, mark) ?? '/dev/null';
    if (path !== '/dev/null') return path.startsWith(prefix) ? path.slice(2) : path;
  }
  return bothPaths(header.split('\n')[0]?.slice('diff --git '.length) ?? '');
}

/** `a/x b/x`: of a file that stays where it was the two halves differ only in their first letter. */
function bothPaths(paths: string): string {
  if (paths.startsWith('"')) return unquote(paths.slice(0, paths.indexOf('" ') + 1)).slice(2);
  return paths.slice(2, (paths.length - 1) / 2);
}

const ESCAPES: Readonly<Record<string, number>> = { n: 10, t: 9, r: 13, a: 7, b: 8, f: 12, v: 11, '"': 34, '\\': 92 };

function unquote(path: string): string {
  if (!path.startsWith('"') || !path.endsWith('"') || path.length < 2) return path;
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of path.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0));
    else bytes.push(...Buffer.from(plain ?? ''));
  }
  return Buffer.from(bytes).toString('utf8');
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;
const KINDS: Readonly<Record<string, DiffLine['kind']>> = { ' ': 'context', '+': 'added', '-': 'removed' };

function readHunk(part: string): DiffHunk {
  const [head = '', ...rest] = part.replace(/\n$/, '').split('\n');
  const [, oldStart = '0', newStart = '0', section = ''] = HUNK.exec(head) ?? [];
  const lines = rest.flatMap((line): ReadonlyArray<DiffLine> => {
    const kind = KINDS[line[0] ?? ''];
    return kind === undefined ? [] : [{ kind, text: line.slice(1) }];
  });
  return { oldStart: Number(oldStart), newStart: Number(newStart), section, lines };
}
