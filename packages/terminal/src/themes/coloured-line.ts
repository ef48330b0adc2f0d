import type { Line, Role, Span } from './line.ts';

/** What a program of the person prints, with its colours: only those count, whatever else a terminal would obey stays text. */
export function colouredLine(text: string): Line {
  const spans: Span[] = [];
  let marks: Omit<Span, 'text'> = {};
  let from = 0;
  for (const { index, 0: whole, 1: codes = '' } of text.matchAll(COLOUR)) {
    if (index > from) spans.push({ ...marks, text: text.slice(from, index) });
    marks = simple(codes).reduce(marked, marks);
    from = index + whole.length;
  }
  if (from < text.length) spans.push({ ...marks, text: text.slice(from) });
  return spans;
}

const COLOUR = /\u001b\[([\d;]*)m/g;

/** The eight colours, bright or not, by what they are mostly used for here. */
const ROLES: ReadonlyArray<Role> = ['dim', 'bad', 'good', 'warn', 'accent', 'keyword', 'accent', 'plain'];

/** Colours of a larger palette as the nearest of the eight; what follows `38`, `48` or `58` is a colour and no code of its own. */
function simple(codes: string): ReadonlyArray<number> {
  const found: number[] = [];
  const numbers = codes.split(';').map(Number);
  for (let at = 0; at < numbers.length; at += 1) {
    const code = numbers[at] ?? 0;
    if (code !== 38 && code !== 48 && code !== 58) found.push(code);
    else {
      const isIndexed = numbers[at + 1] === 5;
      const [red = 0, green = 0, blue = 0] = numbers.slice(at + 2, at + 5);
      if (code === 38) found.push(30 + (isIndexed ? nearestTo(red) : nearest([red, green, blue], 128)));
      at += isIndexed ? 2 : 4;
    }
  }
  return found;
}

function nearestTo(index: number): number {
  if (index < 16) return index % 8;
  if (index >= 232) return index < 244 ? 0 : 7;
  const place = index - 16;
  return nearest([Math.floor(place / 36), Math.floor(place / 6) % 6, place % 6], 3);
}

function nearest(parts: ReadonlyArray<number>, bright: number): number {
  return parts.reduce((sum, part, at) => sum + (part >= bright ? 1 << at : 0), 0);
}

function marked(marks: Omit<Span, 'text'>, number: number): Omit<Span, 'text'> {
  if (number === 0) return {};
  if (number === 1) return { ...marks, bold: true };
  if (number === 2) return { ...marks, role: 'dim' };
  if (number === 3) return { ...marks, italic: true };
  if (number === 4) return { ...marks, underline: true };
  if (number === 22 || Object.hasOwn(ENDS, number))
    return Object.fromEntries(Object.entries(marks).filter((mark) => !isEnded(number, mark)));
  const role = ROLES[number % 10];
  const isColour = (number >= 30 && number < 38) || (number >= 90 && number < 98);
  if (isColour && role !== undefined) return { ...marks, role };
  return marks;
}

const ENDS: Readonly<Record<number, string>> = { 23: 'italic', 24: 'underline', 39: 'role' };

function isEnded(code: number, [name, value]: readonly [string, unknown]): boolean {
  return code === 22 ? name === 'bold' || value === 'dim' : ENDS[code] === name;
}
