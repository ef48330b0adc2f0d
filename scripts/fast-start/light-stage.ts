/** The parts of a light stream, as in the platform's: see `light-readable.ts`. */
export type Source<T> = {
  readonly start?: (controller: Controller<T>) => void;
  /** Called when a reader waits and nothing is there: once, until a chunk arrived; never again before it settled. */
  readonly pull?: (controller: Controller<T>) => unknown;
  readonly cancel?: (reason: unknown) => unknown;
};

export type Controller<T> = {
  readonly enqueue: (chunk: T) => void;
  readonly close: () => void;
  readonly error: (reason: unknown) => void;
  /** How much more is welcome; nothing if it is 0 or less. */
  readonly desiredSize: number | null;
};

export type Result<T> =
  | { readonly done: false; readonly value: T }
  | { readonly done: true; readonly value: undefined };

export type Reader<T> = {
  readonly read: () => Promise<Result<T>>;
  readonly cancel: (reason?: unknown) => Promise<void>;
  readonly releaseLock: () => void;
};

export type StageController<O> = Pick<Controller<O>, 'enqueue' | 'error' | 'desiredSize'> & {
  readonly terminate: () => void;
};

export type StageWork<I, O> = {
  readonly start?: (controller: StageController<O>) => void;
  readonly transform?: (chunk: I, controller: StageController<O>) => void | PromiseLike<void>;
  readonly flush?: (controller: StageController<O>) => void | PromiseLike<void>;
};

/** Replaces a web `TransformStream`: a transformation of chunks, to be placed after a stream. A pair of streams if the platform asks. */
export class Stage<I, O> {
  readonly #work: StageWork<I, O>;
  #pair: ReadableWritablePair<O, I> | undefined;

  constructor(work: StageWork<I, O> = {}) {
    this.#work = work;
  }

  get readable(): ReadableStream<O> {
    return this.#onPlatform().readable;
  }

  get writable(): WritableStream<I> {
    return this.#onPlatform().writable;
  }

  #onPlatform(): ReadableWritablePair<O, I> {
    this.#pair ??= new TransformStream<I, O>(this.#work);
    return this.#pair;
  }

  /** The stage's results as the source of another stream. */
  behind(reader: Reader<I>): Source<O> {
    let running: Running<I, O> | undefined;
    return {
      start: (own) => {
        running = begin(this.#work, reader, own);
        this.#work.start?.(running.controller);
      },
      pull: () => (running === undefined ? undefined : produce(running)),
      cancel: (reason) => reader.cancel(reason),
    };
  }
}

/** A running stage: what it reads from, what it writes to, and how much it wrote. */
type Running<I, O> = {
  readonly work: StageWork<I, O>;
  readonly reader: Reader<I>;
  readonly own: Controller<O>;
  readonly controller: StageController<O>;
  given: number;
};

/** A stage that ends by itself needs nothing more from the stage before it. */
function begin<I, O>(work: StageWork<I, O>, reader: Reader<I>, own: Controller<O>): Running<I, O> {
  const stop = (reason?: unknown): void => void reader.cancel(reason).catch(() => undefined);
  const controller: StageController<O> = {
    enqueue: (chunk) => {
      running.given += 1;
      own.enqueue(chunk);
    },
    error: (reason) => {
      own.error(reason);
      stop(reason);
    },
    terminate: () => {
      own.close();
      stop();
    },
    get desiredSize() {
      return own.desiredSize;
    },
  };
  const running: Running<I, O> = { work, reader, own, controller, given: 0 };
  return running;
}

/** A chunk may become none or many: continues until there is one, or the end. */
async function produce<I, O>(running: Running<I, O>): Promise<void> {
  const { work, reader, own, controller, given } = running;
  try {
    while (running.given === given && own.desiredSize !== 0) {
      const { done, value } = await reader.read();
      if (done) {
        await work.flush?.(controller);
        own.close();
      } else await work.transform?.(value, controller);
    }
  } catch (error) {
    controller.error(error);
  }
}

/** Replaces the web `TextDecoderStream`, for UTF-8. */
export class TextStage extends Stage<Uint8Array, string> {
  constructor() {
    const decoder = new TextDecoder();
    const give = (text: string, controller: StageController<string>): void => {
      if (text !== '') controller.enqueue(text);
    };
    super({
      transform: (bytes, controller) => give(decoder.decode(bytes, { stream: true }), controller),
      flush: (controller) => give(decoder.decode(), controller),
    });
  }
}
