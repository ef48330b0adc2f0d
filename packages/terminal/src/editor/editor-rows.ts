import { type Line, type Role, textOf } from '../themes/line.ts';
import { cellWidth } from '../width/cell-width.ts';
import { wrapLine } from '../screen/wrap-line.ts';
import type { Draft } from './draft.ts';

/** The draft as rows of the screen, and where in them the cursor is. */
export type EditorRows = {
  readonly rows: ReadonlyArray<Line>;
  readonly cursor: { readonly row: number; readonly before: Line };
};

export type EditorLook = {
  readonly columns: number;
  /** At most so many rows: those around the cursor. */
  readonly most: number;
  readonly mark: string;
  readonly role: Role;
  /** Shown while there is no text. */
  readonly hint: string;
};

export function editorRows({ text, cursor }: Draft, look: EditorLook): EditorRows {
  const width = Math.max(2, look.columns - 1 - cellWidth(look.mark));
  const lines = text.split('\n');
  const before = text.slice(0, cursor).split('\n');
  const rows: Line[] = [];
  let row = 0;
  let left: Line = [];
  lines.forEach((line, index) => {
    const wrapped = [...wrapLine([{ text: line }], width)];
    if (index === before.length - 1) {
      const upTo = wrapLine([{ text: before.at(-1) ?? '' }], width);
      left = upTo.at(-1) ?? [];
      // Behind a row that is full to its end the cursor is on the next one.
      const isFull = cellWidth(textOf(left)) >= width;
      if (isFull && wrapped.length === upTo.length) wrapped.push([]);
      row = rows.length + upTo.length - (isFull ? 0 : 1);
      if (isFull) left = [];
    }
    rows.push(...wrapped);
  });
  if (text === '' && look.hint !== '') rows[0] = [{ text: look.hint.slice(0, width), role: 'dim' }];
  const from = Math.max(0, Math.min(row - look.most + 1, rows.length - look.most));
  const shown = rows.slice(from, from + look.most);
  return {
    rows: shown.map((one, index) => [markOf(look, index + from), ...one]),
    cursor: { row: row - from, before: [markOf(look, row), ...left] },
  };
}

function markOf({ mark, role }: EditorLook, row: number): Line[number] {
  return row === 0 ? { text: mark, role } : { text: ' '.repeat(cellWidth(mark)) };
}
