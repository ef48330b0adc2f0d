/*
 * What `git log --format='commit %H %P%n%w(0,1,1)%B' -p` prints:
 *   log    = { "commit " hash { " " parent } LF message { file } }
 *   message = lines that are empty or begin with a space
 *   file   = "diff --git …" LF { header } [ "+++ " path LF { hunk } ]
 *   hunk   = "@@ -a[,b] +c[,d] @@" … LF, then b lines with "-" and d lines with "+"; one with " " (or an empty one) is both
 * A line of a hunk may look like any of these: the counts in its head decide how many lines belong to it. None of them, and none of a message, begins with "commit".
 */

/** Lines that one commit added to one file. `lines[i]` is at line `numbers[i]`. */
export type AddedLines = {
  readonly commit: string;
  readonly path: string;
  readonly lines: ReadonlyArray<string>;
  readonly numbers: ReadonlyArray<number>;
};

type Mutable = { readonly commit: string; readonly path: string; readonly lines: string[]; readonly numbers: number[] };

const HUNK = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const COMMIT = /(?:^|\n)commit (?=[0-9a-f]{40})/;

export function readAddedLines(log: string): ReadonlyArray<AddedLines> {
  const files: Mutable[] = [];
  for (const { commit, lines } of commitsOf(log)) {
    let file: Mutable | null = null;
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] ?? '';
      if (line.startsWith('diff --git ')) file = null;
      else if (file === null && line.startsWith('+++ ')) {
        file = { commit, path: pathOf(line), lines: [], numbers: [] };
        files.push(file);
      }
      const hunk = file === null ? null : HUNK.exec(line);
      if (file !== null && hunk !== null) at = readHunk({ lines, at, hunk, file });
    }
  }
  return files.filter(({ lines }) => lines.length > 0);
}

/** What the commits say of themselves. */
export function readMessages(
  log: string,
): ReadonlyArray<{ readonly commit: string; readonly lines: ReadonlyArray<string> }> {
  return commitsOf(log).map(({ commit, lines }) => {
    const end = lines.findIndex((line) => line !== '' && !line.startsWith(' '));
    return { commit, lines: lines.slice(0, end === -1 ? lines.length : end).map((line) => line.slice(1)) };
  });
}

function commitsOf(log: string): ReadonlyArray<{ readonly commit: string; readonly lines: ReadonlyArray<string> }> {
  return log
    .split(COMMIT)
    .slice(1)
    .map((part) => {
      const [head = '', ...lines] = part.split('\n');
      return { commit: head.replace(/ .*/, ''), lines };
    });
}

type Hunk = {
  readonly lines: ReadonlyArray<string>;
  readonly at: number;
  readonly hunk: RegExpExecArray;
  readonly file: Mutable;
};

/** Returns the position of the hunk's last line. */
function readHunk({ lines, at, hunk, file }: Hunk): number {
  let [removed, added] = [Number(hunk[1] ?? 1), Number(hunk[3] ?? 1)];
  let number = Number(hunk[2]);
  let last = at;
  for (let next = at + 1; next < lines.length && removed + added > 0; next += 1) {
    const line = lines[next] ?? '';
    if (line.startsWith('-') && removed > 0) removed -= 1;
    else if (line.startsWith('+') && added > 0) {
      file.lines.push(line.slice(1));
      file.numbers.push(number);
      number += 1;
      added -= 1;
    } else if ((line.startsWith(' ') || line === '') && removed > 0 && added > 0) {
      number += 1;
      added -= 1;
      removed -= 1;
    } else if (!line.startsWith('\\')) break;
    last = next;
  }
  return last;
}

function pathOf(line: string): string {
  return line
    .slice('+++ '.length)
    .replace(/\t$/, '')
    .replace(/^"?b\//, '')
    .replace(/"$/, '');
}
