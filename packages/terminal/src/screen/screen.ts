import type { Line } from '../themes/line.ts';
import { type Theme, themeNamed } from '../themes/themes.ts';
import { encodeLine } from './encode-line.ts';
import type { Output } from './output.ts';
import { type Cursor, type Frame, nothingPainted, paint, type Painted, type Size, toTop } from './paint.ts';
import { cutLine, widthOf } from './wrap-line.ts';

/** What is below the finished text: rows no wider than the screen, and the place of the cursor in cells. */
export type LiveView = {
  readonly rows: ReadonlyArray<Line>;
  readonly cursor: { readonly row: number; readonly before: Line };
};

export type Screen = {
  /** Adds lines to the finished text; they are written once. */
  readonly print: (lines: ReadonlyArray<Line>) => void;
  /** Adds what is no text, such as an image, to the finished text; whoever makes the bytes sees that they are harmless. */
  readonly printBytes: (bytes: string) => void;
  /** Something in the live region may have changed: it is painted with the next frame. */
  readonly touch: () => void;
  /** Paints now, for a key; if a frame is still on its way, right after it. */
  readonly paintNow: () => void;
  readonly setTheme: (theme: Theme) => void;
  readonly theme: () => Theme;
  readonly size: () => Size;
  /** Takes the live region away and hands the terminal to somebody else, until `goOn`. */
  readonly hold: () => Promise<void>;
  readonly goOn: () => void;
  /** Writes what is left, takes the live region away and stops; resolves when the terminal has everything. */
  readonly close: () => Promise<void>;
  /** Asks the terminal to put a text on its clipboard. */
  readonly copy: (text: string) => void;
  /** Sends what is no text: a title, a notification. */
  readonly send: (sequence: string) => void;
};

export type ScreenOptions = {
  readonly output: Output;
  readonly size: () => Size;
  readonly live: (size: Size) => LiveView;
  readonly theme?: Theme;
};

/** Often enough for a stream to flow; each frame writes the live region once more, so fewer cost fewer bytes. */
const FRAME_MS = 50;
/** The first change is painted at once, and the few after it soon: only what goes on changing waits for a whole frame. */
const SOON_MS = 8;
const SOON_FRAMES = 8;

/** Nothing here depends on how much was printed before: a frame costs the live region and the new lines. */
export function createScreen(options: ScreenOptions): Screen {
  const { size, theme = themeNamed('mono') } = options;
  const state: State = {
    theme,
    painted: nothingPainted(size()),
    isHeld: false,
    isDirty: false,
    finished: [],
    extra: '',
  };
  const { flush, soon, leave } = createFrames(options, state);
  return {
    print: (lines) => {
      for (const line of lines) state.finished.push(encodeLine(line, state.theme));
      soon();
    },
    printBytes: (bytes) => {
      state.finished.push(bytes);
      soon();
    },
    touch: soon,
    paintNow: flush,
    setTheme: (next) => {
      state.theme = next;
      // No row is as it was: each is written again.
      state.painted = { ...state.painted, rows: state.painted.rows.map((row) => ({ ...row, bytes: '\0' })) };
      flush();
    },
    theme: () => state.theme,
    size,
    hold: leave,
    goOn: () => {
      state.isHeld = false;
      flush();
    },
    close: leave,
    send: (sequence) => {
      state.extra += sequence;
      flush();
    },
    copy: (text) => {
      state.extra += `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`;
      flush();
    },
  };
}

type State = {
  theme: Theme;
  painted: Painted;
  isHeld: boolean;
  /** Something changed while a frame was on its way. */
  isDirty: boolean;
  finished: string[];
  /** What goes to the terminal besides text. */
  extra: string;
};

type Frames = { readonly flush: () => void; readonly soon: () => void; readonly leave: () => Promise<void> };

function createFrames({ output, size, live }: ScreenOptions, state: State): Frames {
  let timer: NodeJS.Timeout | null = null;
  let paintedAt = Number.NEGATIVE_INFINITY;
  let quick = 0;
  let idle: Array<() => void> = [];
  const stopTimer = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const flush = (): void => {
    stopTimer();
    if (state.isHeld) return;
    state.isDirty = !output.isIdle();
    if (state.isDirty) return;
    paintedAt = clock();
    const now = size();
    const { finished, extra } = state;
    Object.assign(state, { finished: [], extra: '' });
    const frame = frameOf(live(now), state.theme, now);
    const { bytes, after } = paint({ before: state.painted, frame, finished, size: now });
    state.painted = after;
    if (extra + bytes !== '') output.send(extra + bytes, sent);
  };
  const sent = (): void => {
    if (state.isDirty) flush();
    if (!output.isIdle()) return;
    const waiting = idle;
    idle = [];
    for (const resolve of waiting) resolve();
  };
  return {
    flush,
    soon: () => {
      if (timer !== null) return;
      const since = clock() - paintedAt;
      quick = since < 2 * FRAME_MS ? quick + 1 : 0;
      timer = setTimeout(flush, Math.max(0, (quick > SOON_FRAMES ? FRAME_MS : SOON_MS) - since));
    },
    leave: async () => {
      flush();
      while (!output.isIdle()) await new Promise<void>((resolve) => void idle.push(resolve));
      state.isHeld = true;
      stopTimer();
      const bytes = state.painted.rows.length === 0 ? '' : toTop(state.painted, size());
      state.painted = nothingPainted(size());
      if (bytes !== '') await new Promise<void>((resolve) => output.send(bytes, resolve));
    },
  };
}

/** `performance` would load what measures a program, before the first frame. */
function clock(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1e6;
}

/** Never taller than the screen: of a taller view the end is shown, with the cursor in it. */
function frameOf({ rows, cursor }: LiveView, theme: Theme, { columns, rows: height }: Size): Frame {
  const most = Math.max(1, height - 1);
  const from = Math.max(0, Math.min(rows.length - most, cursor.row));
  const shown = rows.slice(from, from + most).map((row) => cutLine(row, Math.max(2, columns - 1)));
  const place: Cursor = {
    row: cursor.row - from,
    column: widthOf(cursor.before),
    before: encodeLine(cursor.before, theme),
  };
  return { rows: shown.map((row) => ({ bytes: encodeLine(row, theme), cells: widthOf(row) })), cursor: place };
}
