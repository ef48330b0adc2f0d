import type { Failed } from '../program.ts';
import { isStopCode } from '@attractor/console';
import { LINES_OF, type LinesOf, NOTHING, resultLine } from '@attractor/stream-json';
import { createOutput } from './output.ts';

/**
 * A run that could not begin still ends with a result line, if lines were requested, because readers wait for one. The flags are read as
 * raw text, since they may be what is wrong.
 */
export function tellFailure(argv: ReadonlyArray<string>): Failed {
  return (message, exitCode) => {
    if (!wantsLines(argv)) return;
    const ending = isStopCode(exitCode) ? 'interrupted' : 'failed';
    const started = { apiMs: 0, durationMs: performance.now(), sessionId: null };
    const result = resultLine({ ending, tally: NOTHING, message, ...started });
    const format = formatIn(argv) === 'json' ? 'json' : 'stream-json';
    createOutput({ outputFormat: format, linesOf: agentIn(argv) }).end(result);
  };
}

function agentIn(argv: ReadonlyArray<string>): LinesOf {
  const named = argv[argv.indexOf('--lines-of') + 1];
  return LINES_OF.find((agent) => argv.includes('--lines-of') && agent === named) ?? 'claude';
}

function wantsLines(argv: ReadonlyArray<string>): boolean {
  return ['json', 'stream-json'].includes(formatIn(argv));
}

function formatIn(argv: ReadonlyArray<string>): string {
  const formats = argv.flatMap((argument, at) => {
    if (argument === '--output-format') return [argv[at + 1] ?? ''];
    return argument.startsWith('--output-format=') ? [argument.slice('--output-format='.length)] : [];
  });
  const isOtherName = argv[0] === 'exec' && argv.includes('--json');
  return formats.at(-1) ?? (isOtherName ? 'stream-json' : 'text');
}
