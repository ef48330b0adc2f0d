import { accumulate, contentOf, NOTHING_YET } from '../accumulate.ts';
import type { ContentPart } from '../types/content.ts';
import { LlmError } from '../types/error.ts';
import { abortedError } from './failure.ts';
import type { StepResult } from './result.ts';
import type { GenerateEvent } from './steps.ts';

/** What has arrived so far: finished steps, and the content of the current answer. */
export type PartialResponse = {
  readonly steps: ReadonlyArray<StepResult>;
  readonly content: ReadonlyArray<ContentPart>;
  readonly text: string;
};

/**
 * A generation as a stream. Nothing is sent before it is read, and it can be read once: as events, or as `textStream`, or whole with
 * `response()`. In any case `response()` gives the result and rejects with `LlmError` on failure. Leaving a loop early aborts the
 * generation.
 */
export type StreamResult<Result> = AsyncIterable<GenerateEvent> & {
  readonly response: () => Promise<Result>;
  /** The text alone; fails with `LlmError` where events would end in ERROR. */
  readonly textStream: AsyncIterable<string>;
  readonly partialResponse: () => PartialResponse;
};

export function streamResult<Result>(
  source: AsyncGenerator<GenerateEvent, void>,
  finish: (steps: ReadonlyArray<StepResult>) => Result | Promise<Result>,
): StreamResult<Result> {
  const progress = new Progress(finish);
  let taken = false;
  const take = (): AsyncGenerator<GenerateEvent, void> => {
    if (taken) throw new LlmError({ code: 'invalid_request', message: ALREADY_READ, retryable: false });
    taken = true;
    return progress.follow(source);
  };
  return {
    [Symbol.asyncIterator]: take,
    response: async () => {
      if (!taken) await drain(take());
      return progress.result;
    },
    textStream: { [Symbol.asyncIterator]: () => textOf(take()) },
    partialResponse: () => progress.partial(),
  };
}

const ALREADY_READ = 'This stream is already being read. Keep what you need while reading, or use `response()`.';

class Progress<Result> {
  readonly result: Promise<Result>;
  readonly #settle: PromiseWithResolvers<Result>;
  readonly #finish: (steps: ReadonlyArray<StepResult>) => Result | Promise<Result>;
  readonly #steps: StepResult[] = [];
  #content = NOTHING_YET;

  constructor(finish: (steps: ReadonlyArray<StepResult>) => Result | Promise<Result>) {
    this.#finish = finish;
    this.#settle = Promise.withResolvers();
    this.result = this.#settle.promise;
    // Nobody has to ask for the result: an unread failure is no unhandled rejection.
    this.result.catch(() => undefined);
  }

  async *follow(source: AsyncGenerator<GenerateEvent, void>): AsyncGenerator<GenerateEvent, void> {
    try {
      for await (const event of source) {
        this.#record(event);
        yield event;
      }
    } finally {
      // Already settled on a normal end: this is for a reader that left early.
      this.#settle.reject(abortedError('the reader left'));
    }
  }

  partial(): PartialResponse {
    const content = contentOf(this.#content, '');
    return {
      steps: [...this.#steps],
      content,
      text: content.map((part) => (part.kind === 'TEXT' ? part.text : '')).join(''),
    };
  }

  #record(event: GenerateEvent): void {
    if (event.kind === 'STREAM_START') this.#content = NOTHING_YET;
    else if (event.kind === 'STEP_FINISH') this.#steps.push(event.step);
    else if (event.kind === 'ERROR') this.#settle.reject(event.error);
    else if (event.kind === 'FINISH') this.#settle.resolve(Promise.resolve(this.#steps).then(this.#finish));
    else this.#content = accumulate(this.#content, event);
  }
}

async function drain(events: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of events);
}

async function* textOf(events: AsyncIterable<GenerateEvent>): AsyncGenerator<string, void> {
  for await (const event of events) {
    if (event.kind === 'TEXT_DELTA') yield event.text;
    if (event.kind === 'ERROR') throw event.error;
  }
}
