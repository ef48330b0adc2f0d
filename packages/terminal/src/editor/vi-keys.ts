import type { Key } from '../keys/key.ts';
import * as at from './draft.ts';
import type { Draft } from './draft.ts';
import { changed, cutOut, type Editing, redo, undo, type ViMode } from './editing.ts';

export const VI_AT_START: ViMode = { mode: 'insert', pending: '' };

/** The editor after a key of vi; null: vi has nothing to do with that key. */
export function viKey(editing: Editing, vi: ViMode, key: Key): Editing | null {
  if (key.name === 'escape' || (key.ctrl && key.name === '[')) {
    if (vi.mode === 'normal' && vi.pending === '') return null;
    const draft =
      vi.mode === 'insert' && !isAtLineStart(editing.draft) ? at.moved(editing.draft, at.left) : editing.draft;
    return { ...editing, draft, vi: { mode: 'normal', pending: '' }, isTyping: false };
  }
  if (vi.mode === 'insert') return null;
  if (key.ctrl && key.name === 'r') return redo(editing);
  if (key.text === undefined) return null;
  return normalKey({ ...editing, vi: { mode: 'normal', pending: '' } }, vi.pending + key.text);
}

function normalKey(editing: Editing, keys: string): Editing {
  const replacing = /^r(.+)$/su.exec(keys);
  if (replacing !== null) return replaceCharacter(editing, replacing[1] ?? '');
  const motion = MOTIONS[keys];
  if (motion !== undefined) return { ...editing, draft: at.moved(editing.draft, motion), isTyping: false };
  const change = CHANGES[keys];
  if (change !== undefined) return change(editing);
  const [operator = '', ...rest] = keys;
  const to = MOTIONS[rest.join('')];
  if (OPERATORS[operator] !== undefined && to !== undefined) return OPERATORS[operator](editing, to);
  const isBeginning = [...Object.keys(CHANGES), ...Object.keys(MOTIONS)].some((one) => one.startsWith(keys));
  const waits =
    isBeginning || keys === 'r' || (OPERATORS[operator] !== undefined && (keys.length === 1 || keys.endsWith('g')));
  return { ...editing, vi: { mode: 'normal', pending: waits ? keys : '' } };
}

const MOTIONS: Readonly<Record<string, at.Motion>> = {
  h: at.left,
  l: at.right,
  j: at.lineDown,
  k: at.lineUp,
  w: at.nextWord,
  b: at.wordLeft,
  e: (draft) => at.left({ text: draft.text, cursor: at.wordRight({ ...draft, cursor: at.right(draft) }) }),
  '0': at.lineStart,
  '^': at.firstNonBlank,
  $: at.lineEnd,
  gg: at.textStart,
  G: at.textEnd,
};

const OPERATORS: Readonly<Record<string, (editing: Editing, to: at.Motion) => Editing>> = {
  d: cutOut,
  c: (editing, to) => inserting(cutOut(editing, to)),
  y: (editing, to) => ({ ...editing, cut: at.cut(editing.draft, to(editing.draft)).cut }),
};

const CHANGES: Readonly<Record<string, (editing: Editing) => Editing>> = {
  i: inserting,
  a: (editing) => inserting({ ...editing, draft: at.moved(editing.draft, at.right) }),
  I: (editing) => inserting({ ...editing, draft: at.moved(editing.draft, at.firstNonBlank) }),
  A: (editing) => inserting({ ...editing, draft: at.moved(editing.draft, at.lineEnd) }),
  o: (editing) => inserting(changed(editing, at.insert(at.moved(editing.draft, at.lineEnd), '\n'))),
  O: (editing) => inserting(openAbove(editing)),
  x: (editing) => cutOut(editing, at.right),
  X: (editing) => cutOut(editing, at.left),
  s: (editing) => inserting(cutOut(editing, at.right)),
  D: (editing) => cutOut(editing, at.lineEnd),
  C: (editing) => inserting(cutOut(editing, at.lineEnd)),
  dd: cutLine,
  cc: (editing) => inserting(cutOut({ ...editing, draft: at.moved(editing.draft, at.lineStart) }, at.lineEnd)),
  yy: (editing) => ({ ...editing, cut: lineOf(editing.draft) }),
  p: (editing) => changed(editing, at.insert(at.moved(editing.draft, at.right), editing.cut)),
  P: (editing) => changed(editing, at.insert(editing.draft, editing.cut)),
  u: undo,
};

function inserting(editing: Editing): Editing {
  return { ...editing, vi: { mode: 'insert', pending: '' }, isTyping: false };
}

function openAbove(editing: Editing): Editing {
  const start = at.lineStart(editing.draft);
  const draft = at.insert({ ...editing.draft, cursor: start }, '\n');
  return changed(editing, { ...draft, cursor: start });
}

function cutLine(editing: Editing): Editing {
  const start = at.lineStart(editing.draft);
  const end = at.lineEnd(editing.draft);
  const isLast = end === editing.draft.text.length;
  const from = isLast && start > 0 ? start - 1 : start;
  return cutOut({ ...editing, draft: { ...editing.draft, cursor: from } }, () => (isLast ? end : end + 1));
}

function lineOf(draft: Draft): string {
  return `${draft.text.slice(at.lineStart(draft), at.lineEnd(draft))}\n`;
}

function replaceCharacter(editing: Editing, character: string): Editing {
  const { draft, cut } = at.cut(editing.draft, at.right(editing.draft));
  if (cut === '' || cut === '\n') return editing;
  return changed(editing, { text: at.insert(draft, character).text, cursor: draft.cursor });
}

function isAtLineStart(draft: Draft): boolean {
  return at.lineStart(draft) === draft.cursor;
}
