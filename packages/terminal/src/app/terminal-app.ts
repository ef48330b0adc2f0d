import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Acts } from '../converse/world.ts';
import { openDraftFile } from '../editor/draft-file.ts';
import { NOTHING_WRITTEN } from '../editor/editing.ts';
import { openPastInputs } from '../editor/past-inputs.ts';
import type { KeyEvent } from '../keys/key.ts';
import { modesFor } from '../screen/modes.ts';
import { createScreen } from '../screen/screen.ts';
import { themeFor, themeNamed } from '../themes/themes.ts';
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
  const screen = createScreen({
    output: tty.output,
    size: tty.size,
    live: (size) => liveView(world, size, { folder, now: Date.now(), isStill }),
    theme: themeNamed(themeFor(env)),
  });
  const hear = (events: ReadonlyArray<KeyEvent>): void => {
    for (const event of events) control.key(event);
    world.lastKeyAt = Date.now();
    screen.paintNow();
  };
  const keyboard = openKeyboard(tty, modesFor(env), hear);
  const leave = async (code: number): Promise<void> => {
    await control.close();
    await Promise.all([acts.draft.settled(), acts.past.settled()]);
    await screen.close();
    keyboard.stop();
    stopResizing();
    ended.resolve(code);
  };
  let leaving: Promise<void> | null = null;
  const acts: Acts = {
    world,
    screen,
    past: openPastInputs(path.join(home, 'terminal', 'inputs.jsonl')),
    draft: openDraftFile(path.join(home, 'terminal', 'drafts', `${nameOf(folder)}.json`)),
    folder,
    env,
    print: screen.print,
    show: (panel) => {
      Object.assign(world, { panel, panelFor: null });
      screen.touch();
    },
    exit: (code = 0) => {
      leaving ??= leave(code);
    },
    editOutside: async (text, name) => {
      await screen.hold();
      keyboard.stop();
      const edited = await options.editText(text, name);
      keyboard.start();
      screen.goOn();
      return edited;
    },
  };
  const control = createControl(acts, options);
  const stopResizing = tty.onResize(screen.paintNow);
  tty.onEnd(acts.exit, keyboard.stop);
  const kept = acts.draft.read();
  if (kept !== null) world.editing = { ...NOTHING_WRITTEN, draft: kept, pastes: kept.pastes };
  keyboard.start();
  screen.paintNow();
  void control.load();
  return ended.promise;
}

function nameOf(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 16);
}
