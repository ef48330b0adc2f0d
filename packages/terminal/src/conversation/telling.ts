import type { SessionEvent } from '@attractor/agent';
import type { Lexer } from '../markdown/render-block.ts';
import { EMPTY_LINE, type Line, linesOf, plainLine, prefixed } from '../themes/line.ts';
import { type Fold, handled } from './handlers.ts';
import { noticeOf } from './notices.ts';
import { createSpeechPart } from './speech-part.ts';
import { NO_TALLY, type Tally, tallied } from './tally.ts';
import type { Step } from '@attractor/tool-table';
import { createWorkingPart } from './working-part.ts';

/** A conversation as lines: what is finished is handed out once and forgotten, what is under way can be asked for at any time. */
export type Telling = {
  /** Another conversation begins: nothing of the one before is unfolded or counted as being in the window. */
  readonly begin: () => void;
  readonly see: (event: SessionEvent) => ReadonlyArray<Line>;
  /** What is under way, the newest last. `most`: the rows that there are for it. */
  readonly live: (most?: number) => ReadonlyArray<Line>;
  readonly tally: () => Tally;
  readonly steps: () => ReadonlyArray<Step>;
  /** The agent that was sent out and asks for a call; null: none does, or it is not known. */
  readonly askerOf: (toolCallId: string) => string | null;
  /** Unfolds in place what is under way and prints something, or folds it again; false: nothing is. */
  readonly toggle: () => boolean;
  /** The last thing that was folded, whole: the output of a call, or what the model thought. */
  readonly folded: () => ReadonlyArray<Line>;
  /** The last answer as it was written, for copying. */
  readonly lastAnswer: () => string;
};

export type TellingOptions = {
  readonly lexer: Lexer;
  readonly columns: () => number;
  readonly now?: () => number;
};

export function createTelling({ lexer, columns, now = Date.now }: TellingOptions): Telling {
  let folded: Fold | null = null;
  let tally = NO_TALLY;
  let isAfterText = false;
  const fold = (next: Fold): void => {
    folded = next;
  };
  const spoken = createSpeechPart({ lexer, columns, now, fold });
  const working = createWorkingPart({ now, fold });
  return {
    begin: () => {
      folded = null;
      tally = { ...tally, contextTokens: 0, last: null, title: null };
      working.begin();
    },
    see: (event) => {
      tally = tallied(tally, event);
      const before = event.kind === 'TOOL_CALL_START' ? spoken.endThinking() : [];
      const lines = handled(spoken.handlers, event) ?? handled(working.handlers, event) ?? noticeOf(event);
      const isCall = CALLS.has(event.kind);
      const gap = isCall && isAfterText && lines.length > 0 ? [EMPTY_LINE] : [];
      // What is asked is printed by who asks.
      if (lines.length > 0 || event.kind === 'APPROVAL_REQUESTED') isAfterText = !isCall;
      return before.length + gap.length === 0 ? lines : [...before, ...gap, ...lines];
    },
    live: (most) => [...spoken.live(), ...working.live(most)],
    tally: () => tally,
    steps: working.steps,
    askerOf: working.askerOf,
    toggle: working.toggle,
    folded: () => (folded === null ? [] : wholeOf(folded)),
    lastAnswer: spoken.lastAnswer,
  };
}

/** What is told of work: one line below the other. */
const CALLS: ReadonlySet<string> = new Set(['TOOL_CALL_END', 'SUBAGENT_END', 'SUBAGENT_EVENT']);

function wholeOf({ title, text }: Fold): ReadonlyArray<Line> {
  const lines = linesOf(text.replace(/\n+$/, '')).map((line) => prefixed(line, { text: '  ' }));
  return [plainLine(`${title}:`, 'dim'), ...lines];
}
