import path from 'node:path';
import type { Acts, World } from '../converse/world.ts';
import { openDraftFile } from '../editor/draft-file.ts';
import { NOTHING_WRITTEN } from '../editor/editing.ts';
import { VI_AT_START } from '../editor/vi-keys.ts';
import { openPastInputs } from '../editor/past-inputs.ts';
import type { KeyEvent } from '../keys/key.ts';
import { modesFor } from '../screen/modes.ts';
import { createScreen } from '../screen/screen.ts';
import { themeNamed } from '../themes/themes.ts';
import { openChoices, themeAtStart } from '../themes/choices.ts';
import { createControl } from './control.ts';
import { openKeyboard } from './keyboard.ts';
import { newWorld } from './new-world.ts';
import type { TerminalAppOptions } from './start.ts';
import { liveView } from './view.ts';

/** Opens the conversation on a terminal; resolves to the exit code. The first frame is painted before the agent is loaded. */
export function runTerminalApp(options: TerminalAppOptions): Promise<number> {
  const { tty, env, home, folder, isStill } = options;
  const ended = Promise.withResolvers<number>();
  const world = newWorld();
  const kept = openKept(home, folder);
  const screen = createScreen({
    output: tty.output,
    size: tty.size,
    live: (size) => liveView(world, size, { folder, now: Date.now(), isStill }),
    theme: themeNamed(themeAtStart(kept.choices.chosen(), env)),
  });
  const hear = (events: ReadonlyArray<KeyEvent>): void => {
    noticingVi(world, () => events.forEach(control.key));
    world.lastKeyAt = Date.now();
    screen.paintNow();
  };
  const keyboard = openKeyboard(tty, modesFor(env), hear);
  const leave = async (code: number): Promise<void> => {
    await control.close();
    acts.draft.settle();
    await acts.past.settled();
    await screen.close();
    keyboard.stop();
    stopResizing();
    ended.resolve(code);
  };
  /** Somebody else has the terminal meanwhile. */
  const handOver = async <Left>(use: () => Left | Promise<Left>): Promise<Left> => {
    await screen.hold();
    keyboard.stop();
    const left = await use();
    keyboard.start();
    screen.goOn();
    return left;
  };
  let leaving: Promise<void> | null = null;
  const acts: Acts = {
    world,
    screen,
    ...kept,
    folder,
    env,
    print: screen.print,
    show: (panel) => {
      Object.assign(world, { panel, panelFor: null });
      screen.touch();
    },
    exit: (code = 0) => void (leaving ??= leave(code)),
    editOutside: (text, name) => handOver(() => options.editText(text, name)),
  };
  const control = createControl(acts, { ...options, suspend: () => void handOver(tty.suspend) });
  const stopResizing = tty.onResize(screen.paintNow);
  tty.onEnd(acts.exit, keyboard.stop);
  Object.assign(world, leftBefore(kept));
  keyboard.start();
  screen.paintNow();
  setTimeout(() => void control.load(), options.start.question === undefined ? BREATH_MS : 0);
  return ended.promise;
}

/** The person's status line may show the mode of vi. */
function noticingVi(world: World, press: () => void): void {
  const before = world.editing.vi?.mode;
  press();
  if (world.editing.vi?.mode !== before) world.onViMode?.();
}

/** Keys that were typed meanwhile are shown before something is loaded, which would hold them up; a question can't wait. */
const BREATH_MS = 10;

type Kept = Pick<Acts, 'past' | 'draft' | 'choices'>;

/** What outlives a conversation. */
function openKept(home: string, folder: string): Kept {
  const own = path.join(home, 'terminal');
  return {
    past: openPastInputs(path.join(own, 'inputs.jsonl')),
    draft: openDraftFile(path.join(own, 'drafts'), nameOf(folder)),
    choices: openChoices(path.join(own, 'choices.json')),
  };
}

/** What an earlier window of this folder left behind, and what was chosen. */
function leftBefore({ draft, choices }: Kept): Partial<World> {
  const editing = { ...NOTHING_WRITTEN, vi: choices.chosen().vi ? VI_AT_START : null };
  const kept = draft.adopt();
  if (kept === null) return { editing };
  const { text, cursor, pastes, said } = kept;
  return { editing: { ...editing, draft: { text, cursor }, pastes }, left: said };
}

/** For a name only: loading a real digest would cost more than the first frame. */
function nameOf(folder: string): string {
  let [one, other] = [0x81_1c_9d_c5, 0x1b_87_35_93];
  for (let at = 0; at < folder.length; at += 1) {
    const code = folder.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01_00_01_93);
    other = Math.imul(other ^ code, 0x85_eb_ca_6b) ^ (other >>> 13);
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}
