import type { KeyEvent } from '../keys/key.ts';
import type { Line } from '../themes/line.ts';

export type Room = { readonly columns: number; readonly most: number };

/** Rows in place of the editor. `cursor` null: there is nothing to type, and it stands at the chosen row. */
export type PanelView = {
  readonly rows: ReadonlyArray<Line>;
  readonly cursor: { readonly row: number; readonly before: Line } | null;
};

/** Something that has the keyboard until it is answered or withdrawn. */
export type Panel = {
  readonly view: (room: Room) => PanelView;
  readonly key: (event: KeyEvent) => void;
  /** The same without a screen: what is asked, and what an answer may be. */
  readonly inLines: () => InLines;
};

/** Lines and numbered choices, for who reads a screen by ear or has no screen. An answer that is no number is text. */
export type InLines = {
  readonly lines: ReadonlyArray<string>;
  readonly choices: ReadonlyArray<string>;
  /** How it is answered; absent: with a number, and words after it. */
  readonly how?: string;
  /** False: it was not understood, and is asked again. */
  readonly answer: (text: string) => boolean;
};
