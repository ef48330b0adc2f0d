import type { KeyEvent } from '../keys/key.ts';
import { listen, type Listening } from '../keys/listen.ts';
import type { Modes } from '../screen/modes.ts';
import type { Output } from '../screen/output.ts';
import type { Size } from '../screen/paint.ts';

/** A terminal as this process has it. */
export type Tty = {
  /** Where frames are written. */
  readonly output: Output;
  readonly size: () => Size;
  readonly setRaw: (isRaw: boolean) => void;
  /** Keys come until the returned function is called. */
  readonly onBytes: (hear: (bytes: Uint8Array) => void) => () => void;
  readonly onResize: (resized: () => void) => () => void;
  /** A signal: with the exit code that belongs to it. At the end of the process, also by a mistake of ours, `leave` is called as well. */
  readonly onEnd: (ended: (code: number) => void, leave: () => void) => void;
  /** Somebody who outlives a kill of this process writes these bytes then, until the returned function is called; `ready` once they are there. */
  readonly guard: (bytes: string, ready: () => void) => () => void;
  /** Stops this process as a shell would, until it is told to go on. */
  readonly suspend: () => void;
};

/** The keyboard and the modes that it is read in; `stop` leaves the terminal as it was before `start`. */
export type Keyboard = { readonly start: () => void; readonly stop: () => void };

export function openKeyboard(tty: Tty, modes: Modes, hear: (events: ReadonlyArray<KeyEvent>) => void): Keyboard {
  let listening: Listening | null = null;
  let stopBytes = (): void => undefined;
  let stopGuard = (): void => undefined;
  let isAsked = false;
  return {
    start: () => {
      if (listening !== null) return;
      listening = listen(hear);
      // Raw first: a terminal that answers at once would be answered by the shell's echo.
      tty.setRaw(true);
      stopBytes = tty.onBytes(listening.hear);
      stopGuard = tty.guard(modes.ifKilled, () => {
        isAsked = true;
        tty.output.sendNow(modes.enter);
      });
    },
    stop: () => {
      if (listening === null) return;
      listening.stop();
      listening = null;
      // What was never asked for must not be undone: it would be somebody else's.
      if (isAsked) tty.output.sendNow(modes.leave);
      isAsked = false;
      stopGuard();
      stopBytes();
      tty.setRaw(false);
    },
  };
}
