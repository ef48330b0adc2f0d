import { clusters } from '../width/cell-width.ts';

/** What a person is writing, and where in it they are: `cursor` counts as strings do, and never stands inside a character. */
export type Draft = { readonly text: string; readonly cursor: number };

export const EMPTY_DRAFT: Draft = { text: '', cursor: 0 };

/** A place in the text that a key leads to. */
export type Motion = (draft: Draft) => number;

export function insert({ text, cursor }: Draft, added: string): Draft {
  return { text: text.slice(0, cursor) + added + text.slice(cursor), cursor: cursor + added.length };
}

/** The draft without what is between the cursor and another place, and what that was. */
export function cut({ text, cursor }: Draft, to: number): { readonly draft: Draft; readonly cut: string } {
  const [from, end] = to < cursor ? [to, cursor] : [cursor, to];
  return { draft: { text: text.slice(0, from) + text.slice(end), cursor: from }, cut: text.slice(from, end) };
}

export function moved(draft: Draft, motion: Motion): Draft {
  return { ...draft, cursor: Math.max(0, Math.min(draft.text.length, motion(draft))) };
}

export const left: Motion = ({ text, cursor }) => {
  if (cursor === 0) return 0;
  // A line ending is a character of its own; of a line only the part before the cursor is looked at.
  const from = startOfLine(text, cursor);
  if (from === cursor) return cursor - 1;
  let last = '';
  for (const cluster of clusters(text.slice(from, cursor))) last = cluster.text;
  return cursor - last.length;
};

export const right: Motion = ({ text, cursor }) => {
  if (cursor >= text.length) return text.length;
  if (text[cursor] === '\n') return cursor + 1;
  for (const cluster of clusters(text.slice(cursor, cursor + 64))) return cursor + cluster.text.length;
  return text.length;
};

export const wordLeft: Motion = ({ text, cursor }) => {
  let at = cursor;
  while (at > 0 && !isWordCharacter(text[at - 1])) at -= 1;
  while (at > 0 && isWordCharacter(text[at - 1])) at -= 1;
  return at;
};

export const wordRight: Motion = ({ text, cursor }) => {
  let at = cursor;
  while (at < text.length && !isWordCharacter(text[at])) at += 1;
  while (at < text.length && isWordCharacter(text[at])) at += 1;
  return at;
};

/** To the beginning of the next word, as vi goes. */
export const nextWord: Motion = ({ text, cursor }) => {
  let at = cursor;
  while (at < text.length && isWordCharacter(text[at])) at += 1;
  while (at < text.length && !isWordCharacter(text[at])) at += 1;
  return at;
};

/** To before the blanks that end at the cursor, and the word before them: what shells delete with Ctrl-W. */
export const blankLeft: Motion = ({ text, cursor }) => {
  let at = cursor;
  while (at > 0 && /\s/.test(text[at - 1] ?? '')) at -= 1;
  while (at > 0 && !/\s/.test(text[at - 1] ?? '')) at -= 1;
  return at;
};

export const lineStart: Motion = ({ text, cursor }) => startOfLine(text, cursor);

export const lineEnd: Motion = ({ text, cursor }) => {
  const end = text.indexOf('\n', cursor);
  return end < 0 ? text.length : end;
};

export const firstNonBlank: Motion = (draft) => {
  const start = lineStart(draft);
  return start + (/^[ \t]*/.exec(draft.text.slice(start, lineEnd(draft)))?.[0].length ?? 0);
};

export const lineUp: Motion = (draft) => {
  const start = lineStart(draft);
  if (start === 0) return 0;
  const above = startOfLine(draft.text, start - 1);
  return Math.min(above + (draft.cursor - start), start - 1);
};

export const lineDown: Motion = (draft) => {
  const end = lineEnd(draft);
  if (end === draft.text.length) return end;
  const below = { text: draft.text, cursor: end + 1 };
  return Math.min(end + 1 + (draft.cursor - lineStart(draft)), lineEnd(below));
};

export const textStart: Motion = () => 0;
export const textEnd: Motion = ({ text }) => text.length;

export function isOnFirstLine({ text, cursor }: Draft): boolean {
  return startOfLine(text, cursor) === 0;
}

export function isOnLastLine({ text, cursor }: Draft): boolean {
  return !text.includes('\n', cursor);
}

function startOfLine(text: string, at: number): number {
  return at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && (/[\w]/.test(character) || character > '\u007f');
}
