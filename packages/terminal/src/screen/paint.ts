/** How large the terminal is. */
export type Size = { readonly columns: number; readonly rows: number };

/** A row of the live region: its bytes, and the cells that it takes. */
export type Row = { readonly bytes: string; readonly cells: number };

/** Where the cursor is to be, in cells; `before`: the bytes of its row up to it. */
export type Cursor = { readonly row: number; readonly column: number; readonly before: string };

export type Frame = { readonly rows: ReadonlyArray<Row>; readonly cursor: Cursor };

/** What the terminal shows below the finished text, and where its cursor is. */
export type Painted = {
  readonly rows: ReadonlyArray<Row>;
  readonly row: number;
  readonly column: number;
  readonly columns: number;
};

export function nothingPainted({ columns }: Size): Painted {
  return { rows: [], row: 0, column: 0, columns };
}

export type Change = {
  readonly before: Painted;
  readonly frame: Frame;
  /** Lines that are written once, above the live region; the terminal wraps them itself and keeps them. */
  readonly finished: ReadonlyArray<string>;
  readonly size: Size;
};

/**
 * The bytes that bring the terminal from one frame to the next, as one synchronised write. Only what is below the top of the live region is
 * ever touched: nothing is cleared above it and nothing is scrolled, so what the terminal has kept stays as it is.
 */
export function paint(change: Change): { readonly bytes: string; readonly after: Painted } {
  const { before, frame, finished, size } = change;
  const isWhole = finished.length > 0 || before.columns !== size.columns || before.rows.length === 0;
  const written = isWhole ? whole(change) : changedRows(before, frame);
  const moved = written.isAtCursor === true ? '' : toCursor(written.row, frame.cursor);
  const after = { rows: frame.rows, row: frame.cursor.row, column: frame.cursor.column, columns: size.columns };
  if (written.bytes === '' && isSamePlace(before, frame.cursor)) return { bytes: '', after };
  return { bytes: `${BEGIN}${written.bytes}${moved}${END}`, after };
}

const BEGIN = '\u001b[?2026h';
const END = '\u001b[?2026l';

/** `isAtCursor`: the cursor is where it is to be. */
type Written = { readonly bytes: string; readonly row: number; readonly isAtCursor?: boolean };

/** The row of the cursor is written last: if the cursor is at its end, as mostly, nothing of it is written twice. */
function whole({ before, frame: { rows, cursor }, finished, size }: Change): Written {
  const lines = finished.map((line) => `${line}\r\n`).join('');
  const own = rows[cursor.row]?.bytes;
  const others = rows.map(({ bytes }, index) => (index === cursor.row ? '' : bytes)).join('\r\n');
  const back = own === undefined ? '' : `${up(rows.length - 1 - cursor.row)}\r${own}`;
  return {
    bytes: `${toTop(before, size)}${lines}${others}${back}`,
    row: own === undefined ? Math.max(0, rows.length - 1) : cursor.row,
    isAtCursor: own === cursor.before,
  };
}

/**
 * To the top of the live region, which is erased: its first row, then all below. Erasing all at once from the top left corner of the screen
 * would have tmux keep what it erases as scrollback.
 */
export function toTop(before: Painted, size: Size): string {
  return `\r${up(rowsAbove(before, size))}\u001b7\u001b[K\u001b[B\u001b[J\u001b8`;
}

/** How far the cursor is from the top of the region, after a terminal of another width has wrapped its rows anew. */
function rowsAbove({ rows, row, column, columns }: Painted, size: Size): number {
  if (columns === size.columns) return row;
  const above = rows.slice(0, row).reduce((sum, { cells }) => sum + Math.max(1, Math.ceil(cells / size.columns)), 0);
  return above + Math.floor(column / size.columns);
}

function changedRows(before: Painted, frame: Frame): Written {
  let bytes = '';
  let row = before.row;
  frame.rows.forEach((next, index) => {
    if (before.rows[index]?.bytes === next.bytes) return;
    if (index < before.rows.length) {
      bytes += `${toRow(row, index)}\r\u001b[K${next.bytes}`;
    } else {
      const last = Math.max(0, index - 1);
      bytes += `${toRow(row, last)}\r\n${next.bytes}`;
    }
    row = index;
  });
  if (frame.rows.length < before.rows.length) {
    const last = Math.max(0, frame.rows.length - 1);
    // What is left over begins below the last row that stays; the row itself must not be touched.
    bytes += `${toRow(row, last)}\r\n\u001b[J${up(1)}`;
    row = last;
  }
  return { bytes, row };
}

function toRow(from: number, to: number): string {
  return to < from ? up(from - to) : down(to - from);
}

function up(rows: number): string {
  return rows > 0 ? `\u001b[${rows}A` : '';
}

function down(rows: number): string {
  return rows > 0 ? `\u001b[${rows}B` : '';
}

/** The row is written again up to the cursor: however wide the terminal takes its characters to be, the cursor is behind them. */
function toCursor(from: number, { row, before }: Cursor): string {
  return `${toRow(from, row)}\r${before}`;
}

function isSamePlace(before: Painted, cursor: Cursor): boolean {
  return before.row === cursor.row && before.column === cursor.column && before.rows.length > 0;
}
