import type { Failed } from '../program.ts';
import { resultLine } from './result-line.ts';
import { NOTHING } from './tally.ts';

/**
 * A run that could not begin ends with a result line too, where lines were asked for: whoever reads them waits for one. The flags are
 * looked at as they were written, since what is wrong may be the flags.
 */
export function tellFailure(argv: ReadonlyArray<string>): Failed {
  return (message) => {
    if (!wantsLines(argv)) return;
    const started = { apiMs: 0, durationMs: performance.now(), sessionId: null };
    process.stdout.write(`${JSON.stringify(resultLine({ ending: 'failed', tally: NOTHING, message, ...started }))}\n`);
  };
}

function wantsLines(argv: ReadonlyArray<string>): boolean {
  return argv.some(
    (argument, at) =>
      /^--output-format=(stream-)?json$/.test(argument) ||
      (argument === '--output-format' && /^(stream-)?json$/.test(argv[at + 1] ?? '')),
  );
}
