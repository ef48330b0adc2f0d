import { chordOf, isCharacter, type KeyEvent, keyNamed, typed } from '../keys/key.ts';
import * as at from './draft.ts';
import { changed, cutOut, type Editing, redo, undo } from './editing.ts';
import { foldPaste } from './pastes.ts';
import { viKey } from './vi-keys.ts';

/** The editor after a key; null: the key is not the editor's. */
export function edit(editing: Editing, event: KeyEvent): Editing | null {
  if (event.type === 'reply') return null;
  if (event.type === 'paste') return pasted(editing, event.text);
  // Escape and a key right after it look like that key with Alt; in vi there is no Alt.
  if (editing.vi !== null && event.alt && isCharacter(event.name)) {
    const character = event.shift ? event.name.toUpperCase() : event.name;
    return edit(edit(editing, keyNamed('escape')) ?? editing, typed(character));
  }
  if (editing.vi !== null) {
    const taken = viKey(editing, editing.vi, event);
    if (taken !== null) return taken;
    if (editing.vi.mode === 'normal') return event.text === undefined ? fromTable(editing, chordOf(event)) : editing;
  }
  if (event.text !== undefined) return type(editing, event.text);
  return fromTable(editing, chordOf(event));
}

function fromTable(editing: Editing, chord: string): Editing | null {
  const motion = MOTIONS[chord];
  if (motion !== undefined) return { ...editing, draft: at.moved(editing.draft, motion), isTyping: false };
  const cutTo = CUTS[chord];
  if (cutTo !== undefined) return cutOut(editing, cutTo);
  return CHANGES[chord]?.(editing) ?? null;
}

const MOTIONS: Readonly<Record<string, at.Motion>> = {
  left: at.left,
  right: at.right,
  'ctrl+b': at.left,
  'ctrl+f': at.right,
  'alt+b': at.wordLeft,
  'alt+f': at.wordRight,
  'alt+left': at.wordLeft,
  'alt+right': at.wordRight,
  'ctrl+left': at.wordLeft,
  'ctrl+right': at.wordRight,
  home: at.lineStart,
  end: at.lineEnd,
  'ctrl+a': at.lineStart,
  'ctrl+e': at.lineEnd,
  'ctrl+home': at.textStart,
  'ctrl+end': at.textEnd,
  'alt+<': at.textStart,
  'alt+>': at.textEnd,
};

const CUTS: Readonly<Record<string, at.Motion>> = {
  'ctrl+w': at.blankLeft,
  'alt+backspace': at.wordLeft,
  'ctrl+backspace': at.wordLeft,
  'alt+d': at.wordRight,
  'ctrl+delete': at.wordRight,
  'ctrl+u': at.lineStart,
  'ctrl+k': (draft) => (at.lineEnd(draft) === draft.cursor ? at.right(draft) : at.lineEnd(draft)),
};

const CHANGES: Readonly<Record<string, (editing: Editing) => Editing>> = {
  backspace: (editing) => removed(editing, at.left),
  'ctrl+h': (editing) => removed(editing, at.left),
  'shift+backspace': (editing) => removed(editing, at.left),
  delete: (editing) => removed(editing, at.right),
  'ctrl+y': (editing) => changed(editing, at.insert(editing.draft, editing.cut)),
  'ctrl+_': undo,
  'alt+_': redo,
  'alt+z': redo,
  'ctrl+t': swapCharacters,
  'shift+enter': (editing) => changed(editing, at.insert(editing.draft, '\n')),
  'alt+enter': (editing) => changed(editing, at.insert(editing.draft, '\n')),
  'ctrl+enter': (editing) => changed(editing, at.insert(editing.draft, '\n')),
  'ctrl+j': (editing) => changed(editing, at.insert(editing.draft, '\n')),
};

function type(editing: Editing, text: string): Editing {
  const draft = at.insert(editing.draft, text);
  const joins = editing.isTyping && /\S/.test(text);
  return joins ? { ...editing, draft, after: [] } : { ...changed(editing, draft), isTyping: true };
}

/** A paste that goes on after another one, as terminals split long ones, stays one paste. */
function pasted(editing: Editing, text: string): Editing {
  const { pastes, shown } = foldPaste(editing.pastes, text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ''));
  return { ...changed(editing, at.insert(editing.draft, shown)), pastes };
}

/** A folded paste goes as a whole. */
function removed(editing: Editing, to: at.Motion): Editing {
  const { text, cursor } = editing.draft;
  const fold = to === at.left ? /\[paste \d+: [^\]\n]*\]$/.exec(text.slice(0, cursor)) : null;
  const target = fold === null ? to(editing.draft) : cursor - fold[0].length;
  return changed(editing, at.cut(editing.draft, target).draft);
}

function swapCharacters(editing: Editing): Editing {
  const { text, cursor } = editing.draft;
  if (cursor === 0 || text.length < 2) return editing;
  const end = cursor === text.length ? cursor : at.right(editing.draft);
  const middle = at.left({ text, cursor: end });
  const start = at.left({ text, cursor: middle });
  const swapped = text.slice(0, start) + text.slice(middle, end) + text.slice(start, middle) + text.slice(end);
  return changed(editing, { text: swapped, cursor: end });
}
