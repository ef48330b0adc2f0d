import { readableText } from '../terminal/escape.ts';
import type { Style } from '../terminal/style.ts';

export type Column<Row> = {
  readonly head: string;
  readonly cell: (row: Row) => string;
  readonly paint?: (text: string, row: Row) => string;
};

/** Aligned columns; the last one is not padded. Text from people and agents is escaped for the terminal. */
export function table<Row>(
  rows: ReadonlyArray<Row>,
  {
    columns,
    style,
    none,
  }: { readonly columns: ReadonlyArray<Column<Row>>; readonly style: Style; readonly none: string },
): ReadonlyArray<string> {
  if (rows.length === 0) return [style.dim(none)];
  const texts = rows.map((row) => columns.map(({ cell }) => oneLine(style.named(cell(row)))));
  const widths = columns.map(({ head }, at) => Math.max(head.length, ...texts.map((cells) => cells[at]?.length ?? 0)));
  const pad = (text: string, at: number) => (at === columns.length - 1 ? text : text.padEnd(widths[at] ?? 0));
  const head = columns.map(({ head: text }, at) => pad(text, at)).join('  ');
  const lines = rows.map((row, line) =>
    columns
      .map(({ paint }, at) => {
        const text = pad(texts[line]?.[at] ?? '', at);
        return paint === undefined ? text : paint(text, row);
      })
      .join('  ')
      .trimEnd(),
  );
  return [style.dim(head.trimEnd()), ...lines];
}

/** Names and values below a title; empty ones are left out, and text of several lines is indented below its name. */
export function facts(
  rows: ReadonlyArray<readonly [name: string, value: string | number | null | undefined]>,
  style: Style,
): ReadonlyArray<string> {
  // Texts of several lines are what somebody wrote, and stay as they are.
  const said = (text: string) => (text.includes('\n') ? text : style.named(text));
  const known = rows.flatMap(([name, value]) =>
    value === null || value === undefined || value === '' ? [] : [[name, readableText(said(String(value)))] as const],
  );
  const width = Math.max(0, ...known.map(([name]) => name.length));
  return known.flatMap(([name, value]) =>
    value.includes('\n')
      ? [style.dim(name), ...value.split('\n').map((line) => `  ${line}`)]
      : [`${style.dim(name.padEnd(width))}  ${value}`],
  );
}

function oneLine(text: string): string {
  return readableText(text.replaceAll(/\s+/g, ' ').trim());
}

/** A time as people read it, in the zone of the log. */
export function moment(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}
