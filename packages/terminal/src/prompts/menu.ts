import { edit } from '../editor/edit.ts';
import { editorRows } from '../editor/editor-rows.ts';
import { type Editing, NOTHING_WRITTEN, replaced, wholeText } from '../editor/editing.ts';
import { chordOf, type KeyEvent } from '../keys/key.ts';
import { cutLine, widthOf } from '../screen/wrap-line.ts';
import { cellWidth } from '../width/cell-width.ts';
import { type Line, plainLine, textOf } from '../themes/line.ts';
import type { Panel, PanelView, Room } from './panel.ts';

/** `asks`: choosing it asks for a text first, which may be empty; `text`: what that begins with. `path`: its end says most. */
export type Choice = {
  readonly value: string;
  readonly key: string;
  readonly label: string;
  readonly hint?: string;
  readonly path?: string;
  readonly asks?: { readonly question: string; readonly text?: string };
};

export type MenuOptions = {
  readonly title: ReadonlyArray<Line>;
  readonly choices: ReadonlyArray<Choice>;
  /** Several can be chosen with the space bar. */
  readonly isMany?: boolean;
  readonly choose: (values: ReadonlyArray<string>, text: string) => void;
  /** Escape: null means that it has to be answered. */
  readonly cancel: (() => void) | null;
  /** A key that comes while a person is still typing something else is not an answer. */
  readonly isArmed?: () => boolean;
};

type State = {
  readonly at: number;
  readonly ticked: ReadonlySet<string>;
  readonly writing: { readonly choice: Choice; readonly editing: Editing } | null;
};

/** A list of choices with a key each; arrows and Enter do as well. */
export function createMenu(options: MenuOptions): Panel {
  const { choices, choose, cancel, isArmed = () => true } = options;
  let state: State = { at: 0, ticked: new Set(), writing: null };
  const pick = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    if (choice.asks !== undefined) {
      const editing = replaced(NOTHING_WRITTEN, choice.asks.text ?? '');
      state = { ...state, writing: { choice, editing } };
      return;
    }
    const ticked = [...state.ticked];
    choose(options.isMany === true && ticked.length > 0 ? ticked : [choice.value], '');
  };
  return {
    view: (room) => viewOf(options, state, room),
    key: (event) => {
      if (state.writing !== null) {
        state = { ...state, writing: written(state.writing, event, choose) };
        return;
      }
      if (event.type !== 'key' || !isArmed()) return;
      const chord = chordOf(event);
      const move = MOVES[chord];
      if (move !== undefined) state = { ...state, at: (state.at + move + choices.length) % choices.length };
      else if (chord === 'enter') pick(choices[state.at]);
      else if (chord === 'escape' || chord === 'ctrl+c') cancel?.();
      else if (chord === 'space' && options.isMany === true) state = ticking(state, choices[state.at]?.value);
      else pick(choices.find(({ key }) => key === event.name) ?? choices[Number(event.text) - 1]);
    },
    inLines: () => ({
      lines: options.title.map(textOf),
      choices: choices.map(({ label, hint, path = '' }) =>
        hint === undefined ? label : `${label} (${`${hint} ${path}`.trim()})`,
      ),
      answer: (text) => answeredInLines(text, options),
    }),
  };
}

const MOVES: Readonly<Record<string, number>> = { up: -1, down: 1, 'ctrl+p': -1, 'ctrl+n': 1, tab: 1, 'shift+tab': -1 };

function ticking(state: State, value: string | undefined): State {
  if (value === undefined) return state;
  const ticked = new Set(state.ticked);
  if (!ticked.delete(value)) ticked.add(value);
  return { ...state, ticked };
}

type Writing = NonNullable<State['writing']>;

function written(writing: Writing, event: KeyEvent, choose: MenuOptions['choose']): Writing | null {
  const chord = event.type === 'key' ? chordOf(event) : '';
  if (chord === 'escape' || chord === 'ctrl+c') return null;
  if (chord === 'enter') {
    choose([writing.choice.value], wholeText(writing.editing).trim());
    return null;
  }
  return { ...writing, editing: edit(writing.editing, event) ?? writing.editing };
}

/** `2`, or `2 because …`; the key of a choice does as well. */
function answeredInLines(text: string, { choices, choose, isMany }: MenuOptions): boolean {
  const [, first = '', rest = ''] = /^\s*(\S+)\s*([^]*)$/.exec(text) ?? [];
  const numbers = isMany === true ? text.split(/[\s,]+/).filter((word) => word !== '') : [first];
  const found = numbers.map((word) => choices[Number(word) - 1] ?? choices.find(({ key }) => key === word));
  if (found.length === 0 || found.includes(undefined)) return false;
  choose(
    found.flatMap((choice) => (choice === undefined ? [] : [choice.value])),
    isMany === true ? '' : rest.trim(),
  );
  return true;
}

function viewOf({ title, choices, isMany }: MenuOptions, state: State, { columns, most }: Room): PanelView {
  if (state.writing !== null) return writingView(title, state.writing, { columns, most });
  const room = Math.max(1, most - title.length);
  const lines = choices.map((choice, index) => {
    const tick = isMany === true ? (state.ticked.has(choice.value) ? '☑ ' : '☐ ') : '';
    return choiceLines(choice, { isAt: index === state.at, tick, columns });
  });
  // If all are in sight, what is too long for a row has its hint below it.
  const hasAll = lines.flat().length <= room;
  const shown = hasAll ? lines : lines.map((own) => [own.flat()]);
  const from = hasAll ? 0 : Math.max(0, Math.min(state.at - room + 1, choices.length - room));
  const rows = shown.slice(from, from + room).flat();
  return {
    rows: [...title, ...rows].map((line) => cutLine(line, columns - 1)),
    cursor: { row: title.length + shown.slice(from, state.at).flat().length, before: [] },
  };
}

type Look = { readonly isAt: boolean; readonly tick: string; readonly columns: number };

function choiceLines({ key, label, hint, path = '' }: Choice, { isAt, tick, columns }: Look): ReadonlyArray<Line> {
  const line: Line = [
    { text: isAt ? '❯ ' : '  ', role: 'accent' },
    { text: `${key}  `, role: 'dim' },
    { text: `${tick}${label}`, ...(isAt ? { bold: true } : {}) },
  ];
  if (hint === undefined) return [line];
  const whole: Line = [...line, { text: `  ${`${hint} ${path}`.trimEnd()}`, role: 'dim' }];
  if (widthOf(whole) < columns) return [whole];
  const below = `     ${hint}`;
  return [line, [{ text: `${below} ${endOf(path, columns - 3 - cellWidth(below))}`.trimEnd(), role: 'dim' }]];
}

/** The end of a path in so many cells. */
function endOf(path: string, cells: number): string {
  if (cellWidth(path) <= cells) return path;
  const parts = path.split('/');
  while (parts.length > 1 && cellWidth(parts.join('/')) + 2 > cells) parts.shift();
  return `…/${parts.join('/')}`;
}

/** Our own words, broken between them. */
function wrapWords(text: string, columns: number): ReadonlyArray<string> {
  const rows: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${rows.at(-1) ?? ''} ${word}`;
    if (rows.length > 0 && longer.length <= columns) rows[rows.length - 1] = longer;
    else rows.push(word);
  }
  return rows;
}

function writingView(title: ReadonlyArray<Line>, { choice, editing }: Writing, { columns, most }: Room): PanelView {
  const question = wrapWords(choice.asks?.question ?? '', columns - 1).map((line) => plainLine(line, 'accent'));
  const head = [...title.slice(0, Math.max(0, most - 2 - question.length)), ...question];
  const box = editorRows(editing.draft, {
    columns,
    most: Math.max(1, most - head.length),
    mark: '  › ',
    role: 'accent',
    hint: '',
  });
  return {
    rows: [...head.map((line) => cutLine(line, columns - 1)), ...box.rows],
    cursor: { row: head.length + box.cursor.row, before: box.cursor.before },
  };
}
