import { messageOf } from '@attractor/base';
import type { Acts } from '../converse/world.ts';
import { isWorking } from '../converse/world.ts';
import { EMPTY_DRAFT } from '../editor/draft.ts';
import { changed, cleared, NOTHING_WRITTEN } from '../editor/editing.ts';
import { type KeyEvent, chordOf } from '../keys/key.ts';
import { EMPTY_LINE, linesOf, plainLine } from '../themes/line.ts';
import { isThemeName, themeNamed, themeOnBackground } from '../themes/themes.ts';
import { type EditorActs, editorKey, write } from './editor-keys.ts';
import type { Inner } from './inner.ts';
import type { TerminalAppOptions } from './start.ts';

/** What keys and time do to the world. */
export type Control = {
  readonly key: (event: KeyEvent) => void;
  readonly load: () => Promise<void>;
  readonly close: () => Promise<void>;
};

const TWICE_MS = 2_000;
const TWICE_ESCAPE_MS = 600;

export type ControlOptions = Pick<TerminalAppOptions, 'load' | 'start' | 'isStill'> & {
  /** Gives the terminal to the shell, until the person comes back. */
  readonly suspend: () => void;
};

/** The keyboard works before the agent is there: what is said meanwhile is said as soon as it is. */
export function createControl(acts: Acts, options: ControlOptions): Control {
  const { world, screen, print } = acts;
  let inner: Inner | null = null;
  let ticking: NodeJS.Timeout | null = null;
  const tick = (): void => {
    if (isWorking(world)) screen.touch();
  };
  const editorActs: EditorActs = {
    ...acts,
    submit: (text) => {
      if (inner !== null) return inner.submit(text);
      if (text.trim() !== '') world.early = [...world.early, text];
      acts.draft.keepSaid([...world.left.map((said) => said.text), ...world.early]);
      return true;
    },
    stop: () => stop(acts, editorActs),
    escape: () => escape(acts, inner),
    cycleMode: () => inner?.cycleMode(),
    expand: () => inner?.expand(),
    complete: () => inner?.complete(),
  };
  return {
    key: (event) => {
      if (event.type === 'reply') return onReply(acts, event.text);
      if (event.type === 'key' && chordOf(event) === 'ctrl+z') return options.suspend();
      if (world.panel === null) return editorKey(editorActs, event);
      if (event.type === 'key' && chordOf(event) === 'ctrl+c') return stopAsked(acts, event);
      world.panel.key(event);
    },
    load: async () => {
      try {
        const port = await options.load();
        const { createInner } = await import('./inner.ts');
        inner = await createInner(acts, port, options.start);
        ticking = setInterval(tick, options.isStill ? 1_000 : 120);
        ticking.unref();
        const early = world.early;
        world.early = [];
        for (const text of early)
          if (!inner.submit(text)) write(editorActs, { ...NOTHING_WRITTEN, draft: { text, cursor: text.length } });
      } catch (error) {
        // Nothing that was written is lost: it is the draft of the next start.
        const [first] = world.early;
        if (first !== undefined && world.editing.draft.text === '') {
          world.early = world.early.slice(1);
          write(editorActs, { ...NOTHING_WRITTEN, draft: { text: first, cursor: first.length } });
        }
        acts.draft.keepSaid([...world.left.map((said) => said.text), ...world.early]);
        print([EMPTY_LINE, ...linesOf(messageOf(error), 'bad'), plainLine(WHAT_IS_MISSING, 'dim')]);
        acts.exit(exitCodeIn(error));
      }
      screen.touch();
    },
    close: async () => {
      if (ticking !== null) clearInterval(ticking);
      await inner?.close();
    },
  };
}

/** The message says what to do about itself; this finds out about the rest. */
const WHAT_IS_MISSING = 'What else is missing, and how to fix it: `attractor doctor`.';

function exitCodeIn(error: unknown): number {
  return typeof error === 'object' && error !== null && 'exitCode' in error && typeof error.exitCode === 'number'
    ? error.exitCode
    : 1;
}

/** Ctrl-C: stops what runs, then clears the line, then leaves. */
function stop({ world, exit }: Acts, editorActs: EditorActs): void {
  const now = Date.now();
  const isTwice = now - world.lastStopAt < TWICE_MS;
  world.lastStopAt = now;
  if (isTwice) return exit();
  world.hint = 'Ctrl-C again leaves';
  if (world.running !== null) return world.running.stop();
  if (isWorking(world)) {
    void world.loaded?.conversing.interrupt();
    world.hint = 'Stopped. Ctrl-C again leaves';
    return;
  }
  if (world.editing.draft.text === '') return;
  world.hint = 'Cleared: Ctrl-_ has it again · Ctrl-C again leaves';
  write(editorActs, { ...changed(world.editing, EMPTY_DRAFT), vi: cleared(world.editing).vi });
}

/** Ctrl-C while something is asked: stops the work that asks, and twice leaves; a list that a person opened is closed. */
function stopAsked({ world, exit }: Acts, event: KeyEvent): void {
  const now = Date.now();
  const isTwice = now - world.lastStopAt < TWICE_MS;
  world.lastStopAt = now;
  if (isTwice) return exit();
  if (world.panelFor === null) world.panel?.key(event);
  else void world.loaded?.conversing.interrupt();
  world.hint = 'Stopped. Ctrl-C again leaves';
}

/** Escape: stops the work; twice with nothing written takes back. */
function escape({ world }: Acts, inner: Inner | null): void {
  const now = Date.now();
  const isTwice = now - world.lastEscapeAt < TWICE_ESCAPE_MS;
  world.lastEscapeAt = now;
  if (world.running !== null) return world.running.stop();
  if (isWorking(world)) return void world.loaded?.conversing.interrupt();
  if (isTwice && world.editing.draft.text === '') inner?.submit('/rewind');
  else if (world.editing.draft.text === '') world.hint = 'Esc again takes the conversation or files back';
}

/** The terminal says what its background is; what a person chose stays. */
function onReply({ screen, choices }: Acts, text: string): void {
  const { name } = screen.theme();
  if (choices.chosen().theme !== null || !text.startsWith(']11;') || !isThemeName(name)) return;
  const next = themeOnBackground(name, text);
  if (next !== name) screen.setTheme(themeNamed(next));
}
