import { edit } from '../editor/edit.ts';
import { editorRows } from '../editor/editor-rows.ts';
import { type Editing, NOTHING_WRITTEN } from '../editor/editing.ts';
import { fuzzyScore } from '../complete/fuzzy.ts';
import { chordOf } from '../keys/key.ts';
import { cutLine } from '../screen/wrap-line.ts';
import { type Line, plainLine } from '../themes/line.ts';
import type { Panel, PanelView, Room } from './panel.ts';

export type PickerItem = { readonly value: string; readonly label: string; readonly detail?: string };

export type PickerOptions = {
  readonly title: string;
  readonly items: ReadonlyArray<PickerItem>;
  readonly choose: (item: PickerItem) => void;
  readonly cancel: () => void;
};

/** A list that gets shorter as one types. */
export function createPicker(options: PickerOptions): Panel {
  const { items, choose, cancel } = options;
  let editing: Editing = NOTHING_WRITTEN;
  let at = 0;
  const found = (): ReadonlyArray<PickerItem> => matching(items, editing.draft.text);
  return {
    view: (room) => viewOf(options, { found: found(), editing, at }, room),
    key: (event) => {
      const chord = event.type === 'key' ? chordOf(event) : '';
      const move = MOVES[chord];
      const list = found();
      if (move !== undefined) at = Math.max(0, Math.min(list.length - 1, at + move));
      else if (chord === 'escape' || chord === 'ctrl+c') cancel();
      else if (chord === 'enter') {
        const item = list[at];
        if (item !== undefined) choose(item);
      } else {
        editing = edit(editing, event) ?? editing;
        at = 0;
      }
    },
    inLines: () => ({
      lines: [options.title],
      how: 'Answer with a number. Enter alone goes back.',
      choices: items.map(({ label, detail }) => (detail === undefined ? label : `${label} (${detail})`)),
      answer: (text) => {
        if (text.trim() === '') cancel();
        const item = items[Number(text) - 1];
        if (item !== undefined) choose(item);
        return item !== undefined || text.trim() === '';
      },
    }),
  };
}

const MOVES: Readonly<Record<string, number>> = { up: -1, down: 1, 'ctrl+p': -1, 'ctrl+n': 1, pageup: -8, pagedown: 8 };

function matching(items: ReadonlyArray<PickerItem>, text: string): ReadonlyArray<PickerItem> {
  if (text.trim() === '') return items;
  return items
    .map((item) => ({ item, score: fuzzyScore(text, `${item.label} ${item.detail ?? ''}`) }))
    .filter(({ score }) => score !== null)
    .toSorted((one, other) => (other.score ?? 0) - (one.score ?? 0))
    .map(({ item }) => item);
}

type Shown = { readonly found: ReadonlyArray<PickerItem>; readonly editing: Editing; readonly at: number };

function viewOf({ title, items }: PickerOptions, { found, editing, at }: Shown, { columns, most }: Room): PanelView {
  const box = editorRows(editing.draft, { columns, most: 1, mark: '  search: ', role: 'dim', hint: '' });
  const room = Math.max(1, most - 3);
  const from = Math.max(0, Math.min(at - room + 1, found.length - room));
  const rows = found.slice(from, from + room).map((item, index): Line => {
    const isAt = index + from === at;
    return cutLine(
      [
        { text: isAt ? '❯ ' : '  ', role: 'accent' },
        { text: item.label, ...(isAt ? { bold: true } : {}) },
        { text: item.detail === undefined ? '' : `  ${item.detail}`, role: 'dim' },
      ],
      columns - 1,
    );
  });
  const head: Line = [
    { text: title, role: 'accent', bold: true },
    { text: `  ${found.length} of ${items.length}`, role: 'dim' },
  ];
  const foot = plainLine('Enter chooses, Esc goes back', 'dim');
  return { rows: [head, ...box.rows, ...rows, foot], cursor: { row: 1, before: box.cursor.before } };
}
