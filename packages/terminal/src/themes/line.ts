/** What a piece of text is, not how it looks: a theme decides that. */
export type Role =
  | 'plain'
  | 'dim'
  | 'accent'
  | 'good'
  | 'bad'
  | 'warn'
  | 'user'
  | 'code'
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'added'
  | 'removed'
  | 'addedWord'
  | 'removedWord'
  | 'chosen';

/** A piece of a line. Its text may come from anywhere: it is made harmless when it is written. */
export type Span = {
  readonly text: string;
  readonly role?: Role;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
};

/** One logical line: it holds no line ending. */
export type Line = ReadonlyArray<Span>;

export const EMPTY_LINE: Line = [];

export function plainLine(text: string, role?: Role): Line {
  return text === '' ? EMPTY_LINE : [role === undefined ? { text } : { text, role }];
}

export function textOf(line: Line): string {
  return line.map(({ text }) => text).join('');
}

/** Text of several lines, each in the same role. */
export function linesOf(text: string, role?: Role): ReadonlyArray<Line> {
  return text.split('\n').map((line) => plainLine(line, role));
}

/** The line with something before it. */
export function prefixed(line: Line, ...before: ReadonlyArray<Span>): Line {
  return [...before, ...line];
}
