import type { Line, Role, Span } from './line.ts';

/** What a program of the person prints, with its colours: only those count, whatever else a terminal would obey stays text. */
export function colouredLine(text: string): Line {
  const spans: Span[] = [];
  let marks: Omit<Span, 'text'> = {};
  let from = 0;
  for (const { index, 0: whole, 1: codes = '' } of text.matchAll(COLOUR)) {
    if (index > from) spans.push({ ...marks, text: text.slice(from, index) });
    marks = codes.split(';').reduce(marked, marks);
    from = index + whole.length;
  }
  if (from < text.length) spans.push({ ...marks, text: text.slice(from) });
  return spans;
}

const COLOUR = /\u001b\[([\d;]*)m/g;

/** The eight colours, bright or not, by what they are mostly used for here. */
const ROLES: ReadonlyArray<Role> = ['dim', 'bad', 'good', 'warn', 'accent', 'keyword', 'accent', 'plain'];

function marked(marks: Omit<Span, 'text'>, code: string): Omit<Span, 'text'> {
  const number = Number(code);
  if (number === 0) return {};
  if (number === 1) return { ...marks, bold: true };
  if (number === 2) return { ...marks, role: 'dim' };
  if (number === 3) return { ...marks, italic: true };
  if (number === 4) return { ...marks, underline: true };
  const role = ROLES[number % 10];
  const isColour = (number >= 30 && number < 38) || (number >= 90 && number < 98);
  if (isColour && role !== undefined) return { ...marks, role };
  return marks;
}
