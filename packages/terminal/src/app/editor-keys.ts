import { completed } from '../complete/completion.ts';
import { insert, isOnFirstLine, isOnLastLine, lineDown, lineUp, moved } from '../editor/draft.ts';
import { edit } from '../editor/edit.ts';
import { changed, cleared, type Editing, replaced, wholeText } from '../editor/editing.ts';
import { searchInputs } from '../editor/past-inputs.ts';
import { chordOf, type KeyEvent } from '../keys/key.ts';
import type { Acts, Searching } from '../converse/world.ts';

/** Keys that the editor does not have by itself, by name; true: it was taken. */
type Taken = (acts: EditorActs) => boolean;

export type EditorActs = Acts & {
  /** What a person says is complete. */
  readonly submit: (text: string) => boolean;
  readonly stop: () => void;
  readonly escape: () => void;
  readonly cycleMode: () => void;
  readonly expand: () => void;
  readonly complete: () => void;
};

/** A key while a person writes. */
export function editorKey(acts: EditorActs, event: KeyEvent): void {
  const { world } = acts;
  world.hint = '';
  const chord = event.type === 'key' ? chordOf(event) : '';
  if (world.searching !== null) return searchKey(acts, event, chord);
  if (world.completion !== null && completionKey(acts, chord)) return;
  if (KEYS[chord]?.(acts) === true) return;
  const next = edit(world.editing, event);
  if (next !== null) write(acts, next);
}

/** Another draft: it is kept on disk, and what it could become is looked for. */
export function write(acts: EditorActs, editing: Editing): void {
  const { world, draft } = acts;
  const isOther = editing.draft.text !== world.editing.draft.text;
  world.editing = editing;
  if (isOther) {
    world.browsing = null;
    draft.keep({ ...editing.draft, pastes: editing.pastes });
  }
  acts.complete();
}

const KEYS: Readonly<Record<string, Taken>> = {
  enter: (acts) => {
    const { world } = acts;
    const { text, cursor } = world.editing.draft;
    if (text[cursor - 1] === '\\') {
      write(
        acts,
        changed(
          world.editing,
          insert({ text: text.slice(0, cursor - 1) + text.slice(cursor), cursor: cursor - 1 }, '\n'),
        ),
      );
      return true;
    }
    const said = wholeText(world.editing).trimEnd();
    if (!acts.submit(said)) return true;
    if (said.trim() !== '') acts.past.add(said);
    write(acts, cleared(world.editing));
    return true;
  },
  escape: (acts) => {
    if (acts.world.editing.vi?.mode === 'insert' && acts.world.editing.draft.text !== '') return false;
    acts.escape();
    return true;
  },
  'ctrl+c': (acts) => {
    acts.stop();
    return true;
  },
  'ctrl+d': (acts) => {
    if (acts.world.editing.draft.text !== '') {
      const next = edit(acts.world.editing, { type: 'key', name: 'delete', ctrl: false, alt: false, shift: false });
      if (next !== null) write(acts, next);
    } else acts.exit();
    return true;
  },
  'ctrl+r': (acts) => {
    if (acts.world.editing.vi?.mode === 'normal') return false;
    acts.world.searching = search(acts, '', Number.POSITIVE_INFINITY);
    return true;
  },
  'ctrl+o': (acts) => {
    acts.expand();
    return true;
  },
  'ctrl+l': () => true,
  'ctrl+g': (acts) => {
    void acts.editOutside(wholeText(acts.world.editing), 'message.md').then((text) => {
      if (text === null) return;
      write(acts, replaced(acts.world.editing, text.replace(/\n$/, '')));
      acts.screen.touch();
    });
    return true;
  },
  'shift+tab': (acts) => {
    acts.cycleMode();
    return true;
  },
  up: (acts) => upwards(acts),
  down: (acts) => downwards(acts),
  'ctrl+p': (acts) => upwards(acts),
  'ctrl+n': (acts) => downwards(acts),
};

/** Up a line; on the first one to the input before, and with nothing written to what is queued. */
function upwards(acts: EditorActs): boolean {
  const { world } = acts;
  if (!isOnFirstLine(world.editing.draft)) {
    world.editing = { ...world.editing, draft: moved(world.editing.draft, lineUp), isTyping: false };
    return true;
  }
  const queued = world.editing.draft.text === '' ? (world.loaded?.conversing.takeBack() ?? null) : null;
  if (queued !== null) {
    write(acts, replaced(world.editing, queued));
    return true;
  }
  return browse(acts, -1);
}

function downwards(acts: EditorActs): boolean {
  const { world } = acts;
  if (isOnLastLine(world.editing.draft)) return browse(acts, 1);
  world.editing = { ...world.editing, draft: moved(world.editing.draft, lineDown), isTyping: false };
  return true;
}

function browse({ world, past }: EditorActs, step: number): boolean {
  const inputs = past.list();
  const at = (world.browsing?.at ?? inputs.length) + step;
  const kept = world.browsing?.kept ?? world.editing;
  if (at < 0 || at > inputs.length || (world.browsing === null && step > 0)) return true;
  if (at === inputs.length) {
    world.editing = kept;
    world.browsing = null;
    return true;
  }
  world.editing = { ...replaced(cleared(world.editing), inputs[at] ?? ''), before: kept.before };
  world.browsing = { at, kept };
  return true;
}

function completionKey(acts: EditorActs, chord: string): boolean {
  const { world } = acts;
  const { completion } = world;
  if (completion === null || completion.candidates.length === 0) return false;
  const { of, candidates, at } = completion;
  const move = { up: -1, down: 1, 'ctrl+p': -1, 'ctrl+n': 1 }[chord];
  if (move !== undefined) {
    world.completion = { ...completion, at: (at + move + candidates.length) % candidates.length };
    return true;
  }
  if (chord === 'escape') {
    world.completion = null;
    return true;
  }
  const candidate = candidates[at];
  if ((chord !== 'tab' && chord !== 'enter') || candidate === undefined) return false;
  // What is complete, or has nothing typed yet, is said with Enter, not completed.
  if (
    chord === 'enter' &&
    of.kind !== 'file' &&
    (of.typed === candidate.text || (of.kind === 'argument' && of.typed === ''))
  )
    return false;
  write(acts, changed(world.editing, completed(world.editing.draft, of, candidate)));
  return chord === 'tab' || candidate.isWhole !== true;
}

function search({ past }: EditorActs, text: string, from: number): Searching {
  const found = searchInputs(past.list(), text, from);
  return { text, index: found?.index ?? past.list().length, found: found?.input ?? null };
}

function searchKey(acts: EditorActs, event: KeyEvent, chord: string): void {
  const { world } = acts;
  const { searching } = world;
  if (searching === null) return;
  if (chord === 'ctrl+r' || chord === 'up') {
    const next = search(acts, searching.text, searching.index);
    world.searching = next.found === null ? searching : next;
  } else if (chord === 'escape' || chord === 'ctrl+c' || chord === 'ctrl+g') world.searching = null;
  else if (chord === 'enter' || chord === 'tab' || chord === 'right' || chord === 'left') {
    world.searching = null;
    if (searching.found !== null) write(acts, replaced(world.editing, searching.found));
  } else if (chord === 'backspace')
    world.searching = search(acts, searching.text.slice(0, -1), Number.POSITIVE_INFINITY);
  else if (event.type === 'key' && event.text !== undefined)
    world.searching = search(acts, searching.text + event.text, Number.POSITIVE_INFINITY);
}
