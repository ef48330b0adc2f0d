import { EXIT, type ExitCode } from '../exit.ts';
import type { StopSignal } from './stop-signal.ts';

/** Long enough for the same signal to arrive twice: from the terminal or a supervisor, and from a parent that forwards it. */
const ECHO_MS = 300;

/** Ctrl-C of somebody who follows an agent: the first one asks what it should know, the second one stops. */
export type CtrlC = StopSignal & {
  /** Whether a first Ctrl-C waits to be dealt with. */
  readonly isAsked: () => boolean;
  readonly onAsk: (listener: () => void) => void;
  /** As a Ctrl-C: where a question has the terminal, it is a key like any other. */
  readonly ask: () => void;
  /** It was dealt with: the next Ctrl-C is a first one again. */
  readonly goOn: () => void;
  readonly stop: () => void;
  /** While another program has the terminal, Ctrl-C is its own. */
  readonly during: <Value>(work: () => Promise<Value>) => Promise<Value>;
};

/** `steers` false: the first Ctrl-C stops, as SIGTERM and SIGHUP always do. One more ends the process at once. */
export function catchCtrlC({ steers }: { readonly steers: boolean }): CtrlC {
  const controller = new AbortController();
  const listeners = new Set<() => void>();
  const state = { exitCode: EXIT.done as ExitCode, isAsked: false, isElsewhere: false };
  const heard = new Map<string, number>();
  const isEcho = (signal: string): boolean => {
    const now = performance.now();
    if (now - (heard.get(signal) ?? -Infinity) < ECHO_MS) return true;
    heard.set(signal, now);
    return false;
  };
  const stop = (exitCode: ExitCode): void => {
    if (controller.signal.aborted) process.exit(exitCode);
    state.exitCode = exitCode;
    controller.abort();
  };
  const ask = (): void => {
    if (!steers || state.isAsked) return stop(EXIT.interrupted);
    state.isAsked = true;
    for (const listener of listeners) listener();
  };
  const handlers = {
    SIGINT: () => {
      if (!state.isElsewhere && !isEcho('SIGINT')) ask();
    },
    SIGTERM: () => {
      if (!isEcho('SIGTERM')) stop(EXIT.terminated);
    },
    SIGHUP: () => {
      if (!isEcho('SIGHUP')) stop(EXIT.hungUp);
    },
  } as const;
  for (const [name, handle] of Object.entries(handlers)) process.on(name, handle);
  return {
    signal: controller.signal,
    exitCode: () => state.exitCode,
    isAsked: () => state.isAsked,
    onAsk: (listener) => void listeners.add(listener),
    ask,
    goOn: () => {
      // Whoever dealt with it has heard its echo.
      state.isAsked = false;
      heard.delete('SIGINT');
    },
    stop: () => {
      if (!controller.signal.aborted) stop(EXIT.interrupted);
    },
    during: async (work) => {
      state.isElsewhere = true;
      try {
        return await work();
      } finally {
        state.isElsewhere = false;
      }
    },
    release: () => {
      for (const [name, handle] of Object.entries(handlers)) process.off(name, handle);
    },
  };
}
