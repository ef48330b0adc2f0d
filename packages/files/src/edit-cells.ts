import { randomBytes } from 'node:crypto';
import { type CellType, parseNotebook, placeOf } from './read/notebook.ts';
import { type Span, spansOf } from './change/json-spans.ts';

export type CellEdit = {
  readonly mode: 'replace' | 'insert' | 'delete';
  /** Absent: for `insert`, at the beginning. */
  readonly cellId?: string | undefined;
  readonly source: string;
  readonly type?: CellType | undefined;
};

export type EditedNotebook =
  | { readonly ok: true; readonly content: string; readonly cellId: string }
  | { readonly ok: false; readonly message: string };

/** The minor version of the format since which every cell has an id. */
const MINOR_WITH_IDS = 5;

/**
 * Pure: the text with one cell changed, or why not. Every byte of other cells and of the notebook's own data stays; the cell keeps its
 * data, follows the file's indentation and line endings, and loses its outputs, which would no longer be true.
 */
export function editCells(text: string, asked: CellEdit): EditedNotebook {
  const edit = { ...asked, source: asked.source.replaceAll('\r\n', '\n') };
  const parsed = parseNotebook(text);
  if (!parsed.ok) return parsed;
  const { notebook } = parsed;
  const list = spansOf(text).members.findLast(({ key }) => key === 'cells')?.value;
  const place = edit.cellId === undefined ? null : placeOf(notebook, edit.cellId);
  if (list === undefined || (place === null && (edit.mode !== 'insert' || edit.cellId !== undefined))) {
    const ids = notebook.cells.slice(0, 20).map(({ id }) => id);
    const what = edit.cellId === undefined ? 'cell_id is missing' : `there is no cell ${edit.cellId}`;
    return { ok: false, message: `${what}. Its cells are: ${ids.join(', ') || 'none'}.` };
  }
  const draft: Draft = { text, list, layout: layoutOf(text) };
  if (edit.mode === 'insert')
    return insert(draft, (place ?? -1) + 1, { ...edit, hasIds: notebook.minor >= MINOR_WITH_IDS });
  const at = place ?? 0;
  const cellId = notebook.cells[at]?.id ?? '';
  const content = edit.mode === 'delete' ? withoutCell(draft, at) : withSource(draft, at, edit);
  return { ok: true, content, cellId };
}

type Draft = { readonly text: string; readonly list: Span; readonly layout: Layout };

/** `at`: a line ending and the indentation of that depth; empty in a file of one line. */
type Layout = { readonly at: (depth: number) => string; readonly colon: string };

function layoutOf(text: string): Layout {
  const unit = /\n([ \t]+)"/.exec(text)?.[1];
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const isLoose = unit !== undefined || text.includes('": ');
  return { at: (depth) => (unit === undefined ? '' : end + unit.repeat(depth)), colon: isLoose ? '": ' : '":' };
}

type Insertion = CellEdit & { readonly hasIds: boolean };

function insert(
  { text, list, layout }: Draft,
  at: number,
  { source, type = 'code', hasIds }: Insertion,
): EditedNotebook {
  const cellId = hasIds ? randomBytes(4).toString('hex') : `cell-${at}`;
  const isCode = type === 'code';
  const members = [
    member(layout, 'cell_type', JSON.stringify(type)),
    ...(isCode ? [member(layout, 'execution_count', 'null')] : []),
    ...(hasIds ? [member(layout, 'id', JSON.stringify(cellId))] : []),
    member(layout, 'metadata', '{}'),
    ...(isCode ? [member(layout, 'outputs', '[]')] : []),
    member(layout, 'source', linesText(layout, source)),
  ];
  const cell = objectText(layout, members);
  const before = list.items[at - 1];
  const [first] = list.items;
  if (before !== undefined) {
    return { ok: true, cellId, content: spliced(text, before.end, before.end, `,${layout.at(2)}${cell}`) };
  }
  const content =
    first === undefined
      ? spliced(text, list.start, list.end, `[${layout.at(2)}${cell}${layout.at(1)}]`)
      : spliced(text, first.start, first.start, `${cell},${layout.at(2)}`);
  return { ok: true, cellId, content };
}

function withoutCell({ text, list }: Draft, at: number): string {
  const [before, cell, after] = [list.items[at - 1], list.items[at], list.items[at + 1]];
  if (cell === undefined) return text;
  if (after !== undefined) return spliced(text, cell.start, after.start, '');
  return before === undefined ? spliced(text, list.start, list.end, '[]') : spliced(text, before.end, cell.end, '');
}

/** Members keep their bytes and their order; only those that are changed, added or removed are rewritten. */
function withSource({ text, list, layout }: Draft, at: number, { source, type }: CellEdit): string {
  const cell = list.items[at];
  if (cell === undefined) return text;
  const raw = new Map(cell.members.map(({ key, start, value }) => [key, text.slice(start, value.end)]));
  const old = cell.members.find(({ key }) => key === 'source')?.value;
  const isOneString = old !== undefined && text[old.start] === '"';
  const wanted = type ?? JSON.parse(/:\s*("(?:[^"\\]|\\.)*")$/.exec(raw.get('cell_type') ?? '')?.[1] ?? '"code"');
  if (type !== undefined) raw.set('cell_type', member(layout, 'cell_type', JSON.stringify(type)));
  raw.set('source', member(layout, 'source', isOneString ? JSON.stringify(source) : linesText(layout, source)));
  if (wanted === 'code') {
    raw.set('execution_count', member(layout, 'execution_count', 'null'));
    raw.set('outputs', member(layout, 'outputs', '[]'));
  } else {
    raw.delete('execution_count');
    raw.delete('outputs');
  }
  return spliced(text, cell.start, cell.end, objectText(layout, [...raw.values()]));
}

function member({ colon }: Layout, key: string, value: string): string {
  return `"${key}${colon}${value}`;
}

function objectText({ at }: Layout, members: ReadonlyArray<string>): string {
  return `{${at(3)}${members.join(`,${at(3) || ' '}`)}${at(2)}}`;
}

/** As nbformat writes them: each line, with its ending, as a separate string. */
function linesText({ at }: Layout, source: string): string {
  const lines = source.match(/[^\n]*\n|[^\n]+/g) ?? [];
  if (lines.length === 0) return '[]';
  return `[${at(4)}${lines.map((line) => JSON.stringify(line)).join(`,${at(4) || ' '}`)}${at(3)}]`;
}

function spliced(text: string, ...[from, to, replacement]: [number, number, string]): string {
  return text.slice(0, from) + replacement + text.slice(to);
}
