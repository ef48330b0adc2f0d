import { mask, type Redactor } from './redactor.ts';

/**
 * Redacts text that arrives in pieces. A piece is passed on only if nothing that follows can make it part of a secret; until then it is
 * held back. What is held back is bounded: beyond that it becomes a mask, and the rest of it is dropped.
 */
export type RedactedStream = {
  /** What may be shown now; often a few characters less than arrived. */
  readonly push: (piece: string) => string;
  /** What was held back. The stream is then reset. */
  readonly end: () => string;
};

const MAX_HELD = 32 << 10;
/** How much of the shown text is kept, as context for the next piece. */
const CONTEXT = 320;

/** For text that arrives in pieces: a secret that is split over two of them is found too. */
export function redactStream(redactor: Redactor): RedactedStream {
  let shown = '';
  let held = '';
  let dropping: Dropping | null = null;

  const take = (isLast: boolean): string => {
    const [ready, rest] = settle(redactor, { shown, held, isLast });
    held = rest;
    shown = (shown + ready).slice(-CONTEXT);
    return ready;
  };
  return {
    push: (piece) => {
      held += piece;
      if (dropping !== null) {
        const end = held.search(dropping.until);
        if (end === -1) {
          held = held.slice(-dropping.keep);
          return '';
        }
        held = held.slice(end);
        dropping = null;
      }
      const ready = take(false);
      if (held.length <= MAX_HELD) return ready;
      dropping = held.startsWith('-----BEGIN') ? KEY : WORD;
      held = '';
      shown = UNFINISHED;
      return ready + UNFINISHED;
    },
    end: () => {
      const last = dropping === null ? take(true) : '';
      shown = '';
      held = '';
      dropping = null;
      return last;
    },
  };
}

const UNFINISHED = '[redacted:unfinished]';

/** What ends a secret that was too long to hold, and how much must be kept to see that. */
type Dropping = { readonly until: RegExp; readonly keep: number };
const WORD: Dropping = { until: /\s/, keep: 0 };
const KEY: Dropping = { until: /-----END/, keep: 8 };

type State = { readonly shown: string; readonly held: string; readonly isLast: boolean };

/** What may be shown of the held text, and what is then still held. */
function settle(redactor: Redactor, { shown, held, isLast }: State): readonly [string, string] {
  const whole = shown + held;
  const { spans, openFrom } = redactor.inspect(whole);
  const open = isLast ? whole.length : Math.max(openFrom, shown.length);
  const cut = spans.reduce(
    (at, { start, end }) => (end > at && !isLast ? Math.min(at, Math.max(start, shown.length)) : at),
    open,
  );
  const ready = spans
    .filter(({ end }) => end > shown.length && end <= cut)
    .map(({ start, end, kind }) => ({ start: Math.max(0, start - shown.length), end: end - shown.length, kind }));
  return [mask(whole.slice(shown.length, cut), ready), whole.slice(cut)];
}
