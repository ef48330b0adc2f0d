import { Stage, type Controller, type Reader, type Result, type Source } from './light-stage.ts';

/**
 * The part of the platform's web streams between a response's bytes and the AI SDK's parts. In the platform's own streams every chunk
 * passes a dozen queues and promises at each stage, which costs more than everything done with it. Here a stage runs when someone reads
 * after it, and nothing is read ahead except what the source itself holds.
 *
 * Light and platform streams can be piped through each other; a light stream that meets a platform stream becomes one. Any wish for reading
 * ahead is ignored.
 *
 * Chunks come out in the order in which they went in, each once; then the end, or the failure, as often as one reads.
 */
export class LightReadable<T> implements AsyncIterable<T> {
  readonly #source: Source<T>;
  readonly #controller: Controller<T>;
  #chunks: T[] = [];
  #end: { readonly error?: unknown } | undefined;
  #locked = false;
  /** While a reader waits; resolved by whatever happens next. */
  #news: PromiseWithResolvers<void> | undefined;
  #asked = false;
  #pulling = false;

  constructor(source: Source<T>) {
    this.#source = source;
    const room = (): number => (this.#end === undefined ? 1 - this.#chunks.length : 0);
    this.#controller = {
      enqueue: (chunk) => this.#add(chunk),
      close: () => this.#finish({}),
      error: (error) => this.#finish({ error }),
      get desiredSize() {
        return room();
      },
    };
    source.start?.(this.#controller);
  }

  get locked(): boolean {
    return this.#locked;
  }

  getReader(): Reader<T> {
    if (this.#locked) throw new TypeError('The stream is being read already.');
    this.#locked = true;
    return {
      read: () => this.#next(),
      cancel: (reason) => this.#cancel(reason),
      releaseLock: () => {
        this.#locked = false;
      },
    };
  }

  async cancel(reason?: unknown): Promise<void> {
    if (this.#locked) throw new TypeError('The stream is being read: only its reader may cancel it.');
    await this.#cancel(reason);
  }

  pipeThrough<R>(stage: Stage<T, R>): LightReadable<R>;
  pipeThrough<R>(stage: ReadableWritablePair<R, T>): ReadableStream<R>;
  pipeThrough<R>(stage: Stage<T, R> | ReadableWritablePair<R, T>): LightReadable<R> | ReadableStream<R> {
    const reader = this.getReader();
    return stage instanceof Stage ? new LightReadable(stage.behind(reader)) : onPlatform(reader).pipeThrough(stage);
  }

  /** Each branch returns every chunk; the source is cancelled once both are. */
  tee(): [LightReadable<T>, LightReadable<T>] {
    const reader = this.getReader();
    const open = new Set<Controller<T>>();
    const pull = async (): Promise<void> => {
      const { done, value } = await reader.read();
      for (const branch of open) {
        if (done) branch.close();
        else branch.enqueue(value);
      }
    };
    const branch = (): LightReadable<T> => {
      const own: Controller<T>[] = [];
      return new LightReadable<T>({
        start: (controller) => own.push(controller) && open.add(controller),
        pull,
        cancel: (reason) => {
          for (const controller of own) open.delete(controller);
          return open.size === 0 ? reader.cancel(reason) : undefined;
        },
      });
    };
    return [branch(), branch()];
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void> {
    const reader = this.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        yield value;
      }
    } finally {
      await reader.cancel();
    }
  }

  async #next(): Promise<Result<T>> {
    while (this.#isEmpty()) {
      this.#ask();
      if (!this.#isEmpty()) break;
      this.#news ??= Promise.withResolvers();
      await this.#news.promise;
    }
    for (const value of this.#chunks.splice(0, 1)) return { done: false, value };
    if (this.#end !== undefined && 'error' in this.#end) throw this.#end.error;
    return { done: true, value: undefined };
  }

  #isEmpty(): boolean {
    return this.#chunks.length === 0 && this.#end === undefined;
  }

  #ask(): void {
    if (this.#asked || this.#pulling) return;
    this.#asked = true;
    try {
      const pulled = this.#source.pull?.(this.#controller);
      if (!(pulled instanceof Promise)) return;
      this.#pulling = true;
      pulled.then(() => this.#goOn(), this.#controller.error);
    } catch (error) {
      this.#finish({ error });
    }
  }

  #goOn(): void {
    this.#pulling = false;
    if (this.#news !== undefined) this.#ask();
  }

  #add(chunk: T): void {
    if (this.#end !== undefined) return;
    this.#chunks.push(chunk);
    this.#asked = false;
    this.#tell();
  }

  #finish(end: { readonly error?: unknown }): void {
    this.#end ??= end;
    this.#tell();
  }

  #tell(): void {
    this.#news?.resolve();
    this.#news = undefined;
  }

  async #cancel(reason: unknown): Promise<void> {
    this.#chunks = [];
    if (this.#end !== undefined) return;
    this.#finish({});
    await this.#source.cancel?.(reason);
  }
}

function onPlatform<T>(reader: Reader<T>): ReadableStream<T> {
  return new ReadableStream<T>(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
