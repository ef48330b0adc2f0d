import { defined } from '@attractor/base';
import type { TurnEntry } from '@attractor/journal';
import { createTelling } from '../conversation/telling.ts';
import type { Lexer } from '../markdown/render-block.ts';
import { EMPTY_LINE, type Line, plainLine } from '../themes/line.ts';

const MOST_TURNS = 30;
const NO_USAGE = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** The end of a conversation, told as it was when it happened. */
export function earlierLines(entries: ReadonlyArray<TurnEntry>, lexer: Lexer): ReadonlyArray<Line> {
  const shown = entries.slice(-MOST_TURNS);
  const left = entries.length - shown.length;
  const telling = createTelling({ lexer, columns: () => 80, now: () => 0 });
  const lines = shown.flatMap((entry) => [...eventsOf(entry)].flatMap((event) => [...telling.see(event)]));
  return left > 0
    ? [plainLine(`… ${left} earlier turns: /export writes all`, 'dim'), ...lines, EMPTY_LINE]
    : [...lines, EMPTY_LINE];
}

/** The model was still to answer: a process died, or was told to stop. */
export function isCutOff(entries: ReadonlyArray<TurnEntry>): boolean {
  // What is remembered is answered by nobody.
  const last = entries.findLast(({ source }) => source !== 'memory');
  return last !== undefined && (last.kind !== 'assistant' || !last.complete || last.calls.length > 0);
}

type TurnEvent = Parameters<ReturnType<typeof createTelling>['see']>[0];

function* eventsOf({ kind, text, calls, results, source }: TurnEntry): Generator<TurnEvent, void> {
  if (kind === 'user') yield { kind: 'USER_INPUT', content: text };
  else if (kind === 'steering') yield { kind: 'STEERING_INJECTED', content: text, ...defined({ source }) };
  else if (kind === 'assistant') {
    yield { kind: 'ASSISTANT_MESSAGE', content: [{ kind: 'TEXT', text }], usage: NO_USAGE, responseId: '', model: '' };
    for (const { toolCallId, toolName, args } of calls)
      yield { kind: 'TOOL_CALL_START', toolCallId, toolName, args: argsOf(args) };
  }
  for (const { toolCallId, toolName, output, isError } of results)
    yield { kind: 'TOOL_CALL_END', toolCallId, toolName, output, isError };
}

function argsOf(args: unknown): Readonly<Record<string, unknown>> {
  return typeof args === 'object' && args !== null ? Object.fromEntries(Object.entries(args)) : {};
}
