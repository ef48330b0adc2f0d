import * as at from './draft.ts';
import { type Draft, EMPTY_DRAFT } from './draft.ts';
import { type Pastes, unfold } from './pastes.ts';

/** `pending`: the beginning of a command of several keys, such as `d` of `dw`. */
export type ViMode = { readonly mode: 'insert' | 'normal'; readonly pending: string };

/** What the editor holds: the draft, what it was before, what was cut out, and the pastes that it shows folded. */
export type Editing = {
  readonly draft: Draft;
  readonly before: ReadonlyArray<Draft>;
  readonly after: ReadonlyArray<Draft>;
  readonly cut: string;
  readonly pastes: Pastes;
  /** Null: keys as in a shell. */
  readonly vi: ViMode | null;
  /** The last change typed a character: one undo takes a whole word. */
  readonly isTyping: boolean;
};

export const NOTHING_WRITTEN: Editing = {
  draft: EMPTY_DRAFT,
  before: [],
  after: [],
  cut: '',
  pastes: [],
  vi: null,
  isTyping: false,
};

const MOST_UNDO = 200;

/** The editor with another draft; the one before it can be had back. */
export function changed(editing: Editing, draft: Draft): Editing {
  if (draft.text === editing.draft.text) return { ...editing, draft, isTyping: false };
  const before = [...editing.before, editing.draft].slice(-MOST_UNDO);
  return { ...editing, draft, before, after: [], isTyping: false };
}

export function cutOut(editing: Editing, to: at.Motion): Editing {
  const { draft, cut } = at.cut(editing.draft, to(editing.draft));
  return cut === '' ? editing : { ...changed(editing, draft), cut };
}

export function undo(editing: Editing): Editing {
  const last = editing.before.at(-1);
  if (last === undefined) return editing;
  const after = [...editing.after, editing.draft];
  return { ...editing, draft: last, before: editing.before.slice(0, -1), after, isTyping: false };
}

export function redo(editing: Editing): Editing {
  const next = editing.after.at(-1);
  if (next === undefined) return editing;
  const before = [...editing.before, editing.draft];
  return { ...editing, draft: next, before, after: editing.after.slice(0, -1), isTyping: false };
}

/** The whole text, pastes included, as it is said. */
export function wholeText({ draft, pastes }: Editing): string {
  return unfold(pastes, draft.text);
}

/** An empty editor; whether it is vi stays. */
export function cleared({ vi, cut }: Editing): Editing {
  return { ...NOTHING_WRITTEN, cut, vi: vi === null ? null : { ...vi, mode: 'insert', pending: '' } };
}

/** Another text in the editor, with the cursor at its end; undo leads back. */
export function replaced(editing: Editing, text: string): Editing {
  return changed(editing, { text, cursor: text.length });
}
