import type { Token, Tokens } from 'marked';
import { EMPTY_LINE, type Line, plainLine, prefixed, type Span, textOf } from '../themes/line.ts';
import { cellWidth } from '../width/cell-width.ts';
import { createColours } from './code-colours.ts';
import { inlineSpans, splitAtBreaks } from './inline.ts';

export type Lexer = (text: string) => ReadonlyArray<Token>;

/** Loads the parser, which takes longer than everything that is needed to write a first word. */
export async function loadLexer(): Promise<Lexer> {
  const { Lexer } = await import('marked');
  return (text) => new Lexer({ gfm: true }).lex(text);
}

/** Finished markdown as lines. */
export function renderBlock(text: string, lexer: Lexer, columns: () => number): ReadonlyArray<Line> {
  return isPlainWords(text) ? [plainLine(text)] : renderTokens(lexer(text), columns());
}

/** One line of nothing but words, as most are: the parser would say the same, for fifty times the work. */
export function isPlainWords(text: string): boolean {
  return WORDS.test(text) && !(MARKS.test(text) && LINK.test(text));
}

const WORDS = /^[A-Za-z](?:[\w ,.;:'"()?!%$/+=-]*[\w,.;:'"()?!%$/+=-])?$/;
/** Every link or emphasis that is possible has one of them; most lines have none. */
const MARKS = /[:_]|w\./i;
/** What is made a link without marks, an emphasis by underscores, a break by blanks, a reference. */
const LINK = /:\/\/|www\.|_|mailto:|xmpp:/i;

function renderTokens(tokens: ReadonlyArray<Token>, columns: number): ReadonlyArray<Line> {
  return tokens.flatMap((token) => (RENDERERS[token.type] ?? raw)(token, columns));
}

type Renderer = (token: Token, columns: number) => ReadonlyArray<Line>;

const RENDERERS: Readonly<Record<string, Renderer>> = {
  space: () => [],
  heading: (token) =>
    paragraph(token).map((line) => line.map((span) => ({ ...span, bold: true, role: span.role ?? 'accent' }))),
  paragraph: (token) => paragraph(token),
  text: (token) => paragraph(token),
  code: (token) => code(token as Tokens.Code),
  blockquote: (token, columns) =>
    renderTokens((token as Tokens.Blockquote).tokens, columns - 2).map((line) =>
      prefixed(line, { text: '│ ', role: 'dim' }),
    ),
  list: (token, columns) => list(token as Tokens.List, columns),
  table: (token, columns) => table(token as Tokens.Table, columns),
  hr: () => [plainLine('────────', 'dim')],
};

function raw(token: Token): ReadonlyArray<Line> {
  return token.raw
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => plainLine(line));
}

function paragraph(token: Token): ReadonlyArray<Line> {
  const { tokens } = token as { readonly tokens?: ReadonlyArray<Token> };
  return tokens === undefined ? raw(token) : splitAtBreaks(inlineSpans(tokens));
}

function code({ text, lang = '' }: Tokens.Code): ReadonlyArray<Line> {
  const colours = createColours(lang.toLowerCase());
  return text.split('\n').map((line) => colours(line));
}

function list({ items, ordered, start }: Tokens.List, columns: number): ReadonlyArray<Line> {
  return items.flatMap((item, index) => {
    const mark = item.task ? (item.checked === true ? '☑ ' : '☐ ') : ordered ? `${Number(start) + index}. ` : '• ';
    const inner = renderTokens(
      item.tokens.filter(({ type }) => type !== 'checkbox'),
      columns - cellWidth(mark),
    );
    const lines = inner.length === 0 ? [EMPTY_LINE] : inner;
    return lines.map((line, at) =>
      prefixed(line, at === 0 ? { text: mark, role: 'accent' } : { text: ' '.repeat(cellWidth(mark)) }),
    );
  });
}

/** Columns side by side if they fit; otherwise each row as a short list, which a narrow terminal can still show. */
function table({ header, rows, align }: Tokens.Table, columns: number): ReadonlyArray<Line> {
  const cells = [header, ...rows].map((row) => row.map(({ tokens }) => inlineSpans(tokens)));
  const widths = header.map((_, column) => Math.max(...cells.map((row) => cellWidth(textOf(row[column] ?? [])))));
  const total = widths.reduce((sum, width) => sum + width + 2, -2);
  if (total > columns - 1) return stacked(cells);
  const [head = [], ...body] = cells;
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  return [
    aligned(
      head.map((cell) => cell.map((span) => ({ ...span, bold: true }))),
      { widths, align },
    ),
    plainLine(rule, 'dim'),
    ...body.map((row) => aligned(row, { widths, align })),
  ];
}

type Columns = { readonly widths: ReadonlyArray<number>; readonly align: Tokens.Table['align'] };

function aligned(row: ReadonlyArray<Line>, { widths, align }: Columns): Line {
  return row.flatMap((cell, column): Span[] => {
    const isLast = column === row.length - 1;
    const free = (widths[column] ?? 0) - cellWidth(textOf(cell));
    const before = align[column] === 'right' ? free : align[column] === 'center' ? Math.floor(free / 2) : 0;
    const after = isLast ? 0 : free - before + 2;
    return [...blanks(before), ...cell, ...blanks(after)];
  });
}

function blanks(count: number): Span[] {
  return count > 0 ? [{ text: ' '.repeat(count) }] : [];
}

function stacked([head = [], ...rows]: ReadonlyArray<ReadonlyArray<Line>>): ReadonlyArray<Line> {
  return rows.flatMap((row, at) => [
    ...(at === 0 ? [] : [EMPTY_LINE]),
    ...row.map((cell, column) => prefixed(cell, { text: `${textOf(head[column] ?? [])}: `, role: 'dim' })),
  ]);
}
