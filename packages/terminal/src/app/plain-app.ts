import { openChoices } from '../themes/choices.ts';
import { openDraftFile } from '../editor/draft-file.ts';
import { openPastInputs } from '../editor/past-inputs.ts';
import { messageOf } from '@attractor/base';
import path from 'node:path';
import type { Acts } from '../converse/world.ts';
import { isWorking } from '../converse/world.ts';
import type { Panel } from '../prompts/panel.ts';
import { safeText } from '../screen/safe-text.ts';
import type { Screen } from '../screen/screen.ts';
import { type Line, textOf } from '../themes/line.ts';
import { themeNamed } from '../themes/themes.ts';
import { createInner, type Inner } from './inner.ts';
import { newWorld } from './new-world.ts';
import type { TerminalAppOptions } from './start.ts';

export type PlainAppOptions = Omit<TerminalAppOptions, 'tty' | 'isStill'> & {
  /** What a person types, line by line, until they have had enough. */
  readonly lines: AsyncIterable<string>;
  /** Text for the terminal; it is harmless already. */
  readonly put: (text: string) => void;
  readonly onStop: (stopped: () => void) => void;
};

/** The same conversation as lines that are written once: for screen readers and for terminals that can't move their cursor. */
export async function runPlainApp(options: PlainAppOptions): Promise<number> {
  const world = newWorld();
  const ended = new AbortController();
  const say = (text: string): void => options.put(`${safeText(text)}\n`);
  const print = (lines: ReadonlyArray<Line>): void => {
    for (const line of lines) options.put(`${safeText(textOf(line))}\n`);
  };
  let exitCode = 0;
  const speaking = createSpeaking(say);
  const acts: Acts = {
    world,
    screen: plainScreen(print, () => speaking.tell(world.panel, isWorking(world))),
    past: openPastInputs(path.join(options.home, 'terminal', 'inputs.jsonl')),
    draft: openDraftFile(path.join(options.home, 'terminal', 'drafts'), 'plain'),
    choices: openChoices(path.join(options.home, 'terminal', 'choices.json')),
    folder: options.folder,
    env: options.env,
    print,
    show: (panel) => {
      Object.assign(world, { panel, panelFor: null });
      speaking.tell(panel, isWorking(world));
    },
    exit: (code = 0) => {
      exitCode = code;
      ended.abort();
    },
    editOutside: options.editText,
  };
  try {
    const inner = await createInner(acts, await options.load(), options.start);
    options.onStop(() => (isWorking(world) ? void world.loaded?.conversing.interrupt() : acts.exit()));
    say('Attractor. Type and press Enter. /help lists commands, /exit leaves.');
    await takeLines(options.lines, { inner, acts, ended, say });
    await inner.close();
    await acts.past.settled();
  } catch (error) {
    say(messageOf(error));
    exitCode = 1;
  }
  return exitCode;
}

const MONO = themeNamed('mono');

type Taking = {
  readonly inner: Inner;
  readonly acts: Acts;
  readonly ended: AbortController;
  readonly say: (text: string) => void;
};

async function takeLines(lines: AsyncIterable<string>, { inner, acts, ended, say }: Taking): Promise<void> {
  const gone = new Promise<{ readonly done: true }>((resolve) =>
    ended.signal.addEventListener('abort', () => resolve({ done: true }), { once: true }),
  );
  const reading = lines[Symbol.asyncIterator]();
  while (!ended.signal.aborted) {
    const next = await Promise.race([reading.next(), gone]);
    if (next.done === true) return;
    const { panel } = acts.world;
    if (panel !== null) {
      if (!panel.inLines().answer(next.value)) say('That is not one of the choices. Answer with a number.');
    } else if (inner.submit(next.value) && next.value.trim() !== '') acts.past.add(next.value);
    else if (acts.world.hint !== '') say(acts.world.hint);
    acts.world.hint = '';
  }
}

/** Says what is asked, once, and when work begins and ends. */
function createSpeaking(say: (text: string) => void): { readonly tell: (panel: Panel | null, works: boolean) => void } {
  let told: Panel | null = null;
  let didWork = false;
  return {
    tell: (panel, works) => {
      if (works !== didWork) say(works ? 'Working.' : 'Ready.');
      didWork = works;
      if (panel === told) return;
      told = panel;
      if (panel === null) return;
      const { lines, choices, how } = panel.inLines();
      for (const line of lines) say(line);
      choices.forEach((choice, at) => say(`${at + 1}. ${choice}`));
      say(how ?? 'Answer with a number, and a comment after it if you like.');
    },
  };
}

function plainScreen(print: Screen['print'], touch: () => void): Screen {
  const nothing = async (): Promise<void> => undefined;
  return {
    print,
    printBytes: () => undefined,
    touch,
    paintNow: touch,
    setTheme: () => undefined,
    theme: () => MONO,
    size: () => ({ columns: 80, rows: 24 }),
    hold: nothing,
    goOn: touch,
    close: nothing,
    copy: () => undefined,
    send: () => undefined,
  };
}
