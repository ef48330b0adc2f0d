import type { Turn } from '../types/index.ts';
import { truncateMiddle } from './ledger-text.ts';

/** Turns as text, each under its number. `clip`: how much of one output, call or text is shown. */
export function transcriptOf(
  turns: ReadonlyArray<Turn>,
  { first, clip = Infinity }: { readonly first: number; readonly clip?: number },
): string {
  return turns.map((turn, index) => `[turn ${first + index}] ${spoken(turn, clip)}`).join('\n\n');
}

/** How much of each output is shown, from ample to almost nothing; tried in this order. */
const CLIPS = [4000, 1500, 500, 150, 40];

/** A transcript of at most about `maxChars`: first outputs lose their middle, then turns in the middle are left out. */
export function boundedTranscript(turns: ReadonlyArray<Turn>, first: number, maxChars: number): string {
  for (const clip of CLIPS) {
    const text = transcriptOf(turns, { first, clip });
    if (text.length <= maxChars) return text;
  }
  return truncateMiddle(transcriptOf(turns, { first, clip: 40 }), maxChars);
}

function spoken(turn: Turn, clip: number): string {
  switch (turn.kind) {
    case 'user':
      return `person: ${truncateMiddle(turn.content, clip * 2)}`;
    case 'steering':
      return `${turn.source === undefined ? 'person, meanwhile' : 'note'}: ${truncateMiddle(turn.content, clip * 2)}`;
    case 'assistant':
      return turn.content
        .flatMap((part) => {
          if (part.kind === 'TEXT') return [`assistant: ${truncateMiddle(part.text, clip * 2)}`];
          return part.kind === 'TOOL_CALL'
            ? [`calls ${part.toolName} ${truncateMiddle(JSON.stringify(part.args), clip)}`]
            : [];
        })
        .join('\n');
    case 'tool_results':
      return turn.results
        .map(({ output, isError }) => `${isError ? 'failed' : 'result'}: ${truncateMiddle(output, clip)}`)
        .join('\n');
    default:
      return truncateMiddle(turn.content, clip);
  }
}
