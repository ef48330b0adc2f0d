/** A setting with its key in lower case and without the name that stands in quotes; null where it has no value. */
export type ConfigLine = readonly [key: string, value: string | null];

/**
 * The settings of a configuration as git reads them: comments, quotes, escapes and lines that go on below count as they do for git. What
 * git would refuse is passed over up to the end of its line.
 */
export function readGitConfig(text: string): ReadonlyArray<ConfigLine> {
  const lines = text.replace(/^\u{feff}/u, '').replaceAll('\r\n', '\n');
  const found: ConfigLine[] = [];
  let section = '';
  let at = 0;
  while (at < lines.length) {
    const heading = matchAt(HEADING, lines, at);
    if (heading !== null) {
      section = (heading[1] ?? '').toLowerCase();
      at += heading[0].length;
      continue;
    }
    const key = matchAt(KEY, lines, at);
    if (key === null) {
      at = lineEnd(lines, at) + 1;
      continue;
    }
    at += key[0].length;
    const { value, end } = key[2] === undefined ? { value: null, end: lineEnd(lines, at) } : valueAt(lines, at);
    found.push([`${section}.${(key[1] ?? '').toLowerCase()}`, value]);
    at = end + 1;
  }
  return found;
}

/** After a heading the line may go on with a key. */
const HEADING = /\s*\[\s*([\w.-]+)(?:\s+"(?:[^"\\\n]|\\[^\n])*")?\s*\]/y;
const KEY = /[^\S\n]*([a-z][a-z\d-]*)[^\S\n]*(=)?/iy;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

const ESCAPES: Readonly<Record<string, string | undefined>> = { n: '\n', t: '\t', b: '\b', '\n': '' };

/** `end`: where the line ends that it ends on. */
function valueAt(text: string, from: number): { readonly value: string; readonly end: number } {
  let [value, spaces, isQuoted, at] = ['', '', false, from];
  for (; at < text.length && text[at] !== '\n'; at += 1) {
    const sign = text[at] ?? '';
    if (!isQuoted && /\s/.test(sign)) {
      if (value !== '') spaces += ' ';
    } else if (!isQuoted && (sign === '#' || sign === ';')) {
      return { value, end: lineEnd(text, at) };
    } else if (sign === '"') {
      isQuoted = !isQuoted;
    } else {
      if (sign === '\\') at += 1;
      const next = text[at] ?? '';
      const meant = sign === '\\' ? (ESCAPES[next] ?? next) : sign;
      if (meant !== '') value += spaces + meant;
      if (meant !== '') spaces = '';
    }
  }
  return { value, end: at };
}
