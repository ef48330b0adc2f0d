import type { HeadlessEnd } from '@attractor/headless';
import { EXIT, type ExitCode } from '../exit.ts';
import type { StopSignal } from '../terminal/stop-signal.ts';

/** A prompt that its own sender stopped is no failure of the run. */
export function exitCodeOf({ ending, failure }: HeadlessEnd, stop: StopSignal): ExitCode {
  if (stop.signal.aborted) return stop.exitCode();
  if (ending === 'interrupted') return EXIT.interrupted;
  if (failure !== null) return EXIT[failure.code];
  return ending === 'done' || ending === 'cancelled' ? EXIT.done : EXIT.failed;
}
