import { createInterface } from 'node:readline';
import { isRecord } from '@attractor/base';
import type { ControlChannel, Fields } from '../control/channel.ts';
import { isAnsweredHere } from '../own-answers.ts';
import { parseLine, joinedInput, type UserInput, userInputOf } from './read-user-line.ts';
import type { UserInputs } from './user-inputs.ts';

/** What the first line is. `end`: there is none. */
export type FirstLine = { readonly kind: 'initialize'; readonly line: Fields } | { readonly kind: 'other' | 'end' };

/**
 * The lines of stream-json on stdin, read from the start. Prompts wait for their turn, everything else takes effect at once. A line that
 * can't be parsed ends the reading, after the prompts before it.
 */
export type InputLines = UserInputs & {
  readonly first: Promise<FirstLine>;
  /** Takes the requests of the other end, beginning with those that came before. */
  readonly serve: (answer: (request: Fields) => void) => void;
  readonly close: () => void;
};

/** Prompts that wait for their turn; beyond that the sender waits too. */
const MAX_WAITING = 16;

type State = {
  readonly waiting: UserInput[];
  readonly requests: Fields[];
  answer: ((request: Fields) => void) | null;
  failure: unknown;
  isOver: boolean;
  /** Called when something changed for a reader that waits. */
  wake: () => void;
  /** Called when there is room for another prompt. */
  drained: () => void;
};

export function readInputLines(
  stdin: NodeJS.ReadableStream & { destroy: () => unknown },
  { signal, channel }: { readonly signal: AbortSignal; readonly channel: ControlChannel },
): InputLines {
  const nothing = (): void => undefined;
  const state: State = {
    waiting: [],
    requests: [],
    answer: null,
    failure: null,
    isOver: false,
    wake: nothing,
    drained: nothing,
  };
  const first = Promise.withResolvers<FirstLine>();
  const lines = createInterface({ input: stdin, crlfDelay: Infinity, signal });
  const close = (): void => {
    lines.close();
    stdin.destroy();
  };
  void takeAll(state, lines, { channel, onFirst: first.resolve })
    .catch((failure: unknown) => void (state.failure = failure))
    .finally(() => {
      state.isOver = true;
      first.resolve({ kind: 'end' });
      channel.end();
      state.wake();
    });
  return {
    first: first.promise,
    next: () => next(state),
    takeText: () => takeText(state),
    isWaiting: () => state.waiting.length > 0,
    serve: (answer) => {
      state.answer = answer;
      state.requests.splice(0).forEach(answer);
    },
    close,
  };
}

type Taking = { readonly channel: ControlChannel; readonly onFirst: (first: FirstLine) => void };

async function takeAll(state: State, lines: AsyncIterable<string>, { channel, onFirst }: Taking): Promise<void> {
  let number = 0;
  let isFirst = true;
  const before: UserInput[] = [];
  for await (const text of lines) {
    number += 1;
    if (text.trim() === '') continue;
    const line = parseLine(text, number);
    const isInitialize = isFirst && isInitializeRequest(line);
    if (isFirst) onFirst(isInitialize ? { kind: 'initialize', line } : { kind: 'other' });
    isFirst = false;
    if (isInitialize || channel.take(line)) continue;
    if (line['type'] !== 'user') {
      ask(state, line);
      continue;
    }
    const input = await userInputOf(line, number);
    if (input.isForNext === true) before.push(input);
    else await put(state, joinedInput(before.splice(0), input));
  }
}

function isInitializeRequest({ type, request }: Fields): boolean {
  return type === 'control_request' && isRecord(request) && request['subtype'] === 'initialize';
}

function ask(state: State, request: Fields): void {
  if (state.answer === null) state.requests.push(request);
  else state.answer(request);
}

async function put(state: State, input: UserInput): Promise<void> {
  state.waiting.push(input);
  state.wake();
  if (state.waiting.length < MAX_WAITING) return;
  await new Promise<void>((resolve) => void (state.drained = resolve));
}

async function next(state: State): Promise<UserInput | null> {
  for (;;) {
    const input = state.waiting.shift();
    if (input !== undefined) {
      state.drained();
      return input;
    }
    if (state.failure !== null) throw state.failure;
    if (state.isOver) return null;
    await new Promise<void>((resolve) => void (state.wake = resolve));
  }
}

/** Images can't be said between two rounds, and some may wait: such an input waits for its own turn, and those behind it too. */
function takeText(state: State): string | null {
  const [input] = state.waiting;
  if (input === undefined || input.images.length > 0 || input.isLater === true || input.problem !== undefined)
    return null;
  // It is no word to the model.
  if (isAnsweredHere(input.text)) return null;
  state.waiting.shift();
  state.drained();
  return input.text;
}
