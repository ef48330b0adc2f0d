import { readableText } from './escape.ts';
import { clearStatus, type Outlet, putStatus } from './put.ts';

/** One line that says what is being done. While it is held, nothing is drawn: somebody else uses the terminal. */
export type StatusLine = {
  readonly hold: () => void;
  readonly goOn: () => void;
  readonly stop: () => void;
  /** Draws it if a second has passed: for work that lets no timer run. */
  readonly draw: () => void;
};

const TICK_MS = 1_000;

/** Null where nobody looks: no terminal, or one that can't rewrite a line. `words` is asked every second; empty: nothing to say. */
export function startStatusLine(
  stream: Outlet & { readonly columns?: number },
  env: Readonly<Record<string, string | undefined>>,
  words: () => string,
): StatusLine | null {
  if (stream.isTTY !== true || env['TERM'] === 'dumb') return null;
  let isHeld = false;
  let drawn = performance.now();
  const show = (): void => {
    drawn = performance.now();
    const text = isHeld ? '' : words();
    if (text !== '') putStatus(stream, readableText(text).slice(0, (stream.columns ?? 80) - 1));
  };
  const timer = setInterval(show, TICK_MS);
  timer.unref();
  return {
    hold: () => {
      isHeld = true;
      clearStatus();
    },
    goOn: () => {
      isHeld = false;
    },
    draw: () => {
      if (performance.now() - drawn >= TICK_MS) show();
    },
    stop: () => {
      clearInterval(timer);
      clearStatus();
    },
  };
}
