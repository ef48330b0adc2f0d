import { CommandFailure, EXIT, type ExitCode } from '../exit.ts';

/** Long enough for the same Ctrl-C to arrive twice (from the terminal and from a parent that forwards it). */
const ECHO_MS = 500;

/** How a person (Ctrl-C, a closed terminal) or a supervisor asks the process to stop. */
export type StopSignal = {
  readonly signal: AbortSignal;
  /** The exit code for the request; `done` if there was none. */
  readonly exitCode: () => ExitCode;
  readonly release: () => void;
};

/**
 * The first SIGINT, SIGTERM or SIGHUP is a request to end properly. A second one, unless it is an echo of the first, ends at once: whoever
 * presses Ctrl-C twice does not want to wait.
 */
export function catchStop(): StopSignal {
  const controller = new AbortController();
  const asked: { exitCode: ExitCode; at: number } = { exitCode: EXIT.done, at: 0 };
  const stop = (exitCode: ExitCode) => () => {
    if (controller.signal.aborted && performance.now() - asked.at > ECHO_MS) process.exit(exitCode);
    if (controller.signal.aborted) return;
    Object.assign(asked, { exitCode, at: performance.now() });
    controller.abort();
  };
  const handlers = {
    SIGINT: stop(EXIT.interrupted),
    SIGTERM: stop(EXIT.terminated),
    SIGHUP: stop(EXIT.hungUp),
  } as const;
  for (const [name, handle] of Object.entries(handlers)) process.on(name, handle);
  return {
    signal: controller.signal,
    exitCode: () => asked.exitCode,
    release: () => {
      for (const [name, handle] of Object.entries(handlers)) process.off(name, handle);
    },
  };
}

/** Resolves once the process was asked to stop. */
export async function stopped({ signal }: StopSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** For a command that has created nothing yet: it ends here. */
export function throwIfStopped(stop: StopSignal): void {
  if (stop.signal.aborted) throw new CommandFailure('Interrupted before the session began.', stop.exitCode());
}

/** Whether this exit code means that a command was asked to stop. */
export function isStopCode(exitCode: number): boolean {
  return STOP_CODES.has(exitCode);
}

const STOP_CODES: ReadonlySet<number> = new Set([EXIT.hungUp, EXIT.interrupted, EXIT.terminated]);
