import { createMarkdownStream, type MarkdownStream } from '../markdown/stream.ts';
import type { Lexer } from '../markdown/render-block.ts';
import { EMPTY_LINE, type Line, plainLine } from '../themes/line.ts';
import { showSeconds } from './amounts.ts';
import type { Part, PartOptions } from './handlers.ts';

export type SpeechPart = Part & { readonly lastAnswer: () => string; readonly endThinking: () => ReadonlyArray<Line> };

type Options = PartOptions & { readonly lexer: Lexer; readonly columns: () => number };

/** What people and the model say: text as it is written, thinking folded to a line. */
export function createSpeechPart({ lexer, columns, now, fold }: Options): SpeechPart {
  const answer = createAnswer(lexer, columns);
  let lastAnswer = '';
  let thought: { readonly text: string; readonly since: number } | null = null;
  const endThinking = (): ReadonlyArray<Line> => {
    if (thought === null) return [];
    fold({ title: 'What the model thought', text: thought.text });
    const took = showSeconds(now() - thought.since);
    thought = null;
    return [EMPTY_LINE, plainLine(`∴ Thought for ${took}`, 'dim')];
  };
  return {
    handlers: {
      USER_INPUT: ({ content }) => [EMPTY_LINE, ...said(content)],
      STEERING_INJECTED: ({ content, source }) => (source === undefined ? [EMPTY_LINE, ...said(content)] : []),
      ASSISTANT_TEXT_DELTA: ({ text }) => [...endThinking(), ...answer.add(text)],
      ASSISTANT_TEXT_END: answer.end,
      ASSISTANT_TEXT_DISCARDED: ({ reason }) => {
        answer.forget();
        return [plainLine(`! The answer was cut off and is requested again: ${reason}`, 'warn')];
      },
      THINKING_DELTA: ({ text }) => {
        thought = { text: (thought?.text ?? '') + text, since: thought?.since ?? now() };
        return [];
      },
      ASSISTANT_MESSAGE: ({ content }) => {
        const text = content.map((part) => (part.kind === 'TEXT' ? part.text : '')).join('');
        if (text.trim() !== '') lastAnswer = text;
        const before = endThinking();
        // A message that came without deltas, as all do that are read from a journal.
        const whole = answer.isBegun() || text.trim() === '' ? [] : answer.add(text);
        const lines = [...before, ...whole, ...answer.end()];
        answer.forget();
        return lines;
      },
    },
    live: () => [...(thought === null ? [] : [EMPTY_LINE, thinkingLine(thought.text)]), ...answer.tail()],
    lastAnswer: () => lastAnswer,
    endThinking,
  };
}

/** One answer as it comes; an empty line stands before its first. */
type Answer = {
  readonly add: (text: string) => ReadonlyArray<Line>;
  readonly end: () => ReadonlyArray<Line>;
  readonly tail: () => ReadonlyArray<Line>;
  readonly isBegun: () => boolean;
  readonly forget: () => void;
};

function createAnswer(lexer: Lexer, columns: () => number): Answer {
  let stream: MarkdownStream | null = null;
  let isBegun = false;
  let hasLines = false;
  const opened = (lines: ReadonlyArray<Line>): ReadonlyArray<Line> => {
    if (lines.length === 0 || hasLines) return lines;
    hasLines = true;
    return [EMPTY_LINE, ...lines];
  };
  return {
    add: (text) => {
      stream ??= createMarkdownStream(lexer, columns);
      isBegun = true;
      return opened(stream.add(text));
    },
    end: () => {
      const lines = opened(stream?.end() ?? []);
      stream = null;
      return lines;
    },
    tail: () => {
      const lines = stream?.tail() ?? [];
      return lines.length > 0 && !hasLines ? [EMPTY_LINE, ...lines] : lines;
    },
    isBegun: () => isBegun,
    forget: () => {
      stream = null;
      isBegun = false;
      hasLines = false;
    },
  };
}

const MOST_LINES = 12;

/** What a person said, as they said it. */
function said(content: string): ReadonlyArray<Line> {
  const lines = content.split('\n');
  const cut = lines.length > MOST_LINES;
  const shown = cut
    ? [...lines.slice(0, MOST_LINES - 4), `… ${(lines.length - MOST_LINES + 4).toLocaleString('en')} more lines`]
    : lines;
  return shown.map((line, at) => [{ text: `${at === 0 ? '› ' : '  '}${line}`, role: 'user' }]);
}

function thinkingLine(text: string): Line {
  const last = text.trimEnd().split('\n').at(-1) ?? '';
  return [
    { text: '∴ Thinking  ', role: 'dim' },
    { text: last.slice(-60), role: 'dim', italic: true },
  ];
}
