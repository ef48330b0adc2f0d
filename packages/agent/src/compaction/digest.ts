import type { Turn } from '../types/index.ts';
import type { Ledger } from './ledger.ts';
import { truncateMiddle, openLine } from './ledger-text.ts';

export type DigestSource = {
  readonly turns: ReadonlyArray<Turn>;
  /** The number of the first of these turns. */
  readonly first: number;
  readonly before: string | null;
  readonly ledger: Ledger;
};

/**
 * A summary made without a model: what was known before, each call by name and path with its outcome, the assistant's last text, the open
 * steps. At most about `maxChars`; it names every open step.
 */
export function digestOf({ turns, first, before, ledger }: DigestSource, maxChars: number): string {
  const open = ledger.open.map(openLine).join('\n');
  const room = Math.max(0, maxChars - open.length - 200);
  const calls = callLines(turns, first);
  const sections: ReadonlyArray<readonly [string, string]> = [
    ['Known from before', truncateMiddle(before ?? '', Math.floor(room * 0.35))],
    ['Calls that were made', truncateMiddle(calls.join('\n'), Math.floor(room * 0.35))],
    ['What you last said', truncateMiddle(lastWords(turns), Math.floor(room * 0.25))],
    ['Open', open],
  ];
  return sections.flatMap(([title, text]) => (text === '' ? [] : [`${title}:\n${text}`])).join('\n\n');
}

const PATHS = ['file_path', 'path', 'absolute_path', 'notebook_path', 'dir_path', 'pattern', 'command', 'cmd', 'url'];

function callLines(turns: ReadonlyArray<Turn>, first: number): ReadonlyArray<string> {
  const failed = new Set(
    turns.flatMap((turn) =>
      turn.kind === 'tool_results'
        ? turn.results.filter(({ isError }) => isError).map(({ toolCallId }) => toolCallId)
        : [],
    ),
  );
  return turns.flatMap((turn, index) => {
    if (turn.kind !== 'assistant') return [];
    return turn.content.flatMap((part) => {
      if (part.kind !== 'TOOL_CALL') return [];
      const about = PATHS.map((name) => part.args[name]).find((value) => typeof value === 'string') ?? '';
      const outcome = failed.has(part.toolCallId) ? ' (failed)' : '';
      return [`turn ${first + index}: ${part.toolName} ${truncateMiddle(about, 120)}${outcome}`];
    });
  });
}

const LAST_REPLIES = 3;

function lastWords(turns: ReadonlyArray<Turn>): string {
  return turns
    .flatMap((turn) => (turn.kind === 'assistant' ? turn.content : []))
    .flatMap((part) => (part.kind === 'TEXT' && part.text.trim() !== '' ? [part.text.trim()] : []))
    .slice(-LAST_REPLIES)
    .join('\n');
}
