import type { Failed } from '../program.ts';
import { isStopCode } from '../terminal/stop-signal.ts';
import { resultLine } from '@attractor/stream-json';
import { NOTHING } from '@attractor/stream-json';
import { putText } from '../terminal/put.ts';

/**
 * A run that could not begin still ends with a result line, if lines were requested, because readers wait for one. The flags are read as
 * raw text, since they may be what is wrong.
 */
export function tellFailure(argv: ReadonlyArray<string>): Failed {
  return (message, exitCode) => {
    if (!wantsLines(argv)) return;
    const ending = isStopCode(exitCode) ? 'interrupted' : 'failed';
    const started = { apiMs: 0, durationMs: performance.now(), sessionId: null };
    putText(process.stdout, `${JSON.stringify(resultLine({ ending, tally: NOTHING, message, ...started }))}\n`);
  };
}

function wantsLines(argv: ReadonlyArray<string>): boolean {
  const formats = argv.flatMap((argument, at) => {
    if (argument === '--output-format') return [argv[at + 1] ?? ''];
    return argument.startsWith('--output-format=') ? [argument.slice('--output-format='.length)] : [];
  });
  const isOtherName = argv[0] === 'exec' && argv.includes('--json');
  return ['json', 'stream-json'].includes(formats.at(-1) ?? (isOtherName ? 'stream-json' : 'text'));
}
