export type ReadLine = {
  readonly argv: ReadonlyArray<string>;
  readonly stdin: string;
  /** What the rest of the line makes of stdout. */
  readonly after: (stdout: string) => string;
};

const DIFF = 'diff --git a/notes.txt b/notes.txt\n-one\n+two\n';

/**
 *   line := [ (cat FILE | echo "…" | git diff) '|' ] command [ '<' FILE ] [ '|' jq -r PATH ] [ '&&' cat FILE ]
 *
 * As much of a shell as the lines of the table need.
 */
export function readScriptLine(line: string, fileOf: (name: string) => string): ReadLine {
  const { words: all, ends } = split(line.replaceAll(/\$\(cat (\S+?)\)/g, (_, name: string) => fileOf(name)));
  const parts = all.map((words, at) => ({ words, end: ends[at] }));
  const [first = { words: [], end: undefined }] = parts;
  const source = first.end === '|' ? SOURCES[first.words[0] ?? ''] : undefined;
  const [command, next] = source === undefined ? [first, parts[1]] : [parts[1], parts[2]];
  const piped = source?.(first.words, fileOf) ?? '';
  const words = command?.words ?? [];
  const from = words.indexOf('<');
  const stdin = from === -1 ? piped : fileOf(words[from + 1] ?? '');
  const argv = (from === -1 ? words : words.slice(0, from)).slice(1);
  const tail = next?.words ?? [];
  return { argv, stdin, after: tail[0] === 'jq' ? (stdout) => jq(stdout, tail.at(-1) ?? '.') : (stdout) => stdout };
}

const SOURCES: Readonly<Record<string, (words: ReadonlyArray<string>, fileOf: (name: string) => string) => string>> = {
  cat: ([, name = ''], fileOf) => fileOf(name),
  echo: ([, text = '']) => `${text}\n`,
  git: () => DIFF,
};

/** Words by commands; `ends` says what stands between them. */
function split(line: string): { readonly words: string[][]; readonly ends: string[] } {
  const words: string[][] = [[]];
  const ends: string[] = [];
  for (const [whole, double, single, plain] of line.matchAll(/"([^"]*)"|'([^']*)'|((?:[^\s"']|(?<==)"[^"]*")+)/g)) {
    if (whole === '|' || whole === '&&') {
      ends.push(whole);
      words.push([]);
    } else words.at(-1)?.push(double ?? single ?? (plain ?? '').replaceAll('"', ''));
  }
  return { words, ends };
}

function jq(stdout: string, at: string): string {
  const values = stdout
    .split('\n')
    .filter(Boolean)
    .map((text): unknown => JSON.parse(text));
  const read = (value: unknown): unknown =>
    at
      .split('.')
      .filter(Boolean)
      .reduce<unknown>((inner, name) => Object(inner)[name], value);
  return values
    .map(read)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join('\n');
}
