import { type Line, plainLine, type Role, type Span } from '../themes/line.ts';

/** Colours lines of code one after the other; what a line leaves open (a comment, a long string) goes on in the next. */
export type Colours = (line: string) => Line;

type Family = {
  readonly lineComment: ReadonlyArray<string>;
  readonly blocks: ReadonlyArray<{ readonly open: string; readonly close: string; readonly role: Role }>;
  readonly quotes: string;
  readonly words: ReadonlySet<string>;
};

const COMMENT = { open: '/*', close: '*/', role: 'comment' } as const;
const LONG_STRINGS = [
  { open: '"""', close: '"""', role: 'string' },
  { open: "'''", close: "'''", role: 'string' },
] as const;

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}

const C_LIKE: Family = {
  lineComment: ['//'],
  blocks: [COMMENT, { open: '`', close: '`', role: 'string' }],
  quotes: `"'`,
  words: wordsOf(
    'abstract any as async await bool boolean break byte case catch chan char class const constexpr continue crate debugger def default defer delete do double dyn else enum export extends extern false final finally float fn for foreach from func function go goto if impl implements import in inline instanceof int interface internal is let long loop match mod module move mut namespace native new nil null number object of operator override package private protected pub public range readonly record ref return self short sizeof static string struct super switch template this throw throws trait true try type typedef typeof undefined union unsafe use using val var virtual void volatile where while with yield',
  ),
};

const PYTHON: Family = {
  lineComment: ['#'],
  blocks: LONG_STRINGS,
  quotes: `"'`,
  words: wordsOf(
    'and as assert async await begin break case class continue def del do elif else elsif end ensure except False finally for from global if import in is lambda match module None nonlocal not or pass raise require rescue return self then True try unless until when while with yield nil true false',
  ),
};

const SHELL: Family = {
  lineComment: ['#'],
  blocks: [],
  quotes: `"'`,
  words: wordsOf(
    'case do done elif else esac exit export fi for function if in local return set shift source then until while RUN FROM COPY WORKDIR ENTRYPOINT CMD ENV ARG EXPOSE',
  ),
};

const SQL: Family = {
  lineComment: ['--'],
  blocks: [COMMENT],
  quotes: `"'`,
  words: wordsOf(
    'add all alter and as asc begin between by case commit constraint create cross default delete desc distinct drop else end exists foreign from full group having in index inner insert into is join key left like limit not null offset on or order outer primary references returning right rollback select set table then union unique update using values view when where with',
  ),
};

const DATA: Family = {
  lineComment: ['#', '//'],
  blocks: [],
  quotes: `"'`,
  words: wordsOf('true false null yes no on off'),
};
const MARKUP: Family = {
  lineComment: [],
  blocks: [{ open: '<!--', close: '-->', role: 'comment' }],
  quotes: `"'`,
  words: wordsOf(''),
};

const NAMES: ReadonlyArray<readonly [Family, string]> = [
  [
    C_LIKE,
    'js jsx ts tsx mjs cjs javascript typescript java c h cpp c++ cc hpp cs csharp go golang rust rs swift kotlin kt scala php dart zig proto css scss less glsl',
  ],
  [PYTHON, 'py python rb ruby elixir ex lua julia r nim'],
  [SHELL, 'sh bash zsh shell console fish dockerfile make makefile'],
  [SQL, 'sql psql mysql sqlite postgres'],
  [DATA, 'json jsonc json5 yaml yml toml ini env conf'],
  [MARKUP, 'html xml svg vue svelte'],
];

/** Colours for a language by its name; a language that nobody knows has the colour of code and no more. */
export function createColours(language: string): Colours {
  if (language === 'diff' || language === 'patch') return diffLine;
  const family = NAMES.find(([, names]) => names.split(' ').includes(language))?.[0];
  if (family === undefined) return (line) => plainLine(line, 'code');
  let open: Family['blocks'][number] | null = null;
  return (line) => {
    const read = colourLine(line, family, open);
    open = read.open;
    return read.spans;
  };
}

function diffLine(line: string): Line {
  if (/^(?:\+\+\+|---|@@|diff |index )/.test(line)) return plainLine(line, 'dim');
  return plainLine(line, line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'plain');
}

type Open = Family['blocks'][number] | null;

function colourLine(line: string, family: Family, before: Open): { readonly spans: Line; readonly open: Open } {
  const spans: Span[] = [];
  const put = (text: string, role: Role): void => {
    const last = spans.at(-1);
    if (last !== undefined && last.role === role) spans[spans.length - 1] = { text: last.text + text, role };
    else if (text !== '') spans.push({ text, role });
  };
  let open = before;
  let at = 0;
  while (at < line.length) {
    if (open !== null) {
      const end = line.indexOf(open.close, at);
      put(line.slice(at, end < 0 ? line.length : end + open.close.length), open.role);
      at = end < 0 ? line.length : end + open.close.length;
      if (end >= 0) open = null;
      continue;
    }
    const begun = family.blocks.find((block) => line.startsWith(block.open, at));
    if (begun !== undefined) {
      put(begun.open, begun.role);
      at += begun.open.length;
      open = begun;
      continue;
    }
    const { text, role } = nextToken(line, at, family);
    put(text, role);
    at += text.length;
  }
  return { spans, open };
}

const WORD = /[A-Za-z_$][\w$]*/y;
const NUMBER = /(?:0[xob][\da-f_]+|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?)n?/iy;
const BLANK = /\s+/y;

function nextToken(line: string, at: number, family: Family): { readonly text: string; readonly role: Role } {
  const character = line[at] ?? '';
  // In a shell `#` is a comment only at the beginning of a word.
  const isComment =
    family.lineComment.some((mark) => line.startsWith(mark, at)) &&
    (character !== '#' || /(?:^|\s)$/.test(line.slice(0, at)));
  if (isComment) return { text: line.slice(at), role: 'comment' };
  if (family.quotes.includes(character)) return { text: quoted(line, at), role: 'string' };
  const word = matchAt(WORD, line, at);
  if (word !== '') return { text: word, role: isKeyword(word, family) ? 'keyword' : 'plain' };
  const number = matchAt(NUMBER, line, at);
  if (number !== '') return { text: number, role: 'number' };
  const blank = matchAt(BLANK, line, at);
  return { text: blank === '' ? String.fromCodePoint(line.codePointAt(at) ?? 0) : blank, role: 'plain' };
}

function isKeyword(word: string, family: Family): boolean {
  return family.words.has(family === SQL ? word.toLowerCase() : word);
}

function quoted(line: string, at: number): string {
  const quote = line[at];
  for (let end = at + 1; end < line.length; end += 1) {
    if (line[end] === '\\') end += 1;
    else if (line[end] === quote) return line.slice(at, end + 1);
  }
  return line.slice(at);
}

function matchAt(pattern: RegExp, line: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(line)?.[0] ?? '';
}
