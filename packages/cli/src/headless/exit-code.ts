import type { HeadlessEnd } from '@attractor/headless';
import { EXIT, type ExitCode, type StopSignal } from '@attractor/console';

/** A prompt that its own sender stopped is no failure of the run. */
export function exitCodeOf({ ending, failure }: HeadlessEnd, stop: StopSignal): ExitCode {
  if (stop.signal.aborted) return stop.exitCode();
  if (ending === 'interrupted') return EXIT.interrupted;
  if (failure !== null) return EXIT[failure.code];
  return ending === 'done' || ending === 'cancelled' ? EXIT.done : EXIT.failed;
}
