import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { createCatchUp } from './catch-up.ts';
import { fairTurn } from './fair-turn.ts';
import { socketFailure, TransportFailure } from './transport-failure.ts';

/** A longer stream is no model's answer; an error page is cut at its first megabyte. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_ERROR_BYTES = 1024 * 1024;
const BUFFERED_BYTES = 64 * 1024;
const CR = 0x0d;

/** The host of a body, and its headers. */
type Origin = { readonly host: string; readonly headers: Headers };

/**
 * The response's bytes as a web stream, decoded. Reads from the socket only as fast as the consumer pulls; cancelling destroys the socket;
 * a body read to its end returns the socket to the pool.
 */
export function webBody(response: IncomingMessage, { host, headers }: Origin): ReadableStream<Uint8Array> {
  const source = decoded(response, { host, headers });
  const isEvents = (headers.get('content-type') ?? '').startsWith('text/event-stream');
  const catchUp = createCatchUp();
  const arrivals = collect(response, source, host);
  let lastByte: number | undefined;
  const pace = createPace();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (lastByte === undefined) await fairTurn();
        if (isEvents) await arrivals.rest(pace.waitMs());
        if (arrivals.isEmpty()) await arrivals.news();
        const bytes = arrivals.take();
        pace.taken();
        if (bytes !== undefined) {
          lastByte = bytes.at(-1);
          controller.enqueue(isEvents ? catchUp(bytes) : bytes);
          return;
        }
        // A parser of events waits after a CR for its LF; at the end there is none to wait for.
        if (isEvents && lastByte === CR) controller.enqueue(Buffer.from('\n'));
        controller.close();
      },
      cancel: arrivals.stop,
    },
    { highWaterMark: 0 },
  );
}

/** Each reading costs as much as what it reads: once an answer has come fast for a while, no faster than a screen shows it. */
type Pace = {
  /** For how long nothing is to be read. */
  readonly waitMs: () => number;
  readonly taken: () => void;
};

const GATHER_MS = 50;
/** The beginning of an answer, and all of a short one, is read as it comes. */
const AT_ONCE = 8;

function createPace(): Pace {
  let takenAt = Number.NEGATIVE_INFINITY;
  let quick = 0;
  return {
    waitMs: () => {
      const left = GATHER_MS - (performance.now() - takenAt);
      quick = left > 0 ? quick + 1 : 0;
      return quick > AT_ONCE ? left : 0;
    },
    taken: () => {
      takenAt = performance.now();
    },
  };
}

type Arrivals = {
  readonly isEmpty: () => boolean;
  /** Reads on until something has arrived or nothing more will. One caller waits at a time. */
  readonly news: () => Promise<void>;
  /** Leaves what comes to the socket for so long, then reads all of it together; not at the end, nor if enough is here already. */
  readonly rest: (ms: number) => Promise<void> | undefined;
  /** What has arrived, as one piece; undefined at the end. Throws if the body broke, after everything that came before. */
  readonly take: () => Buffer | undefined;
  readonly stop: () => void;
};

function collect(response: IncomingMessage, source: Readable, host: string): Arrivals {
  const failed = (response.statusCode ?? 0) >= 400;
  let arrived: Buffer[] = [];
  let held = 0;
  let received = 0;
  let end: { readonly error?: unknown } | undefined;
  let tell: (() => void) | undefined;
  const pause = createPause();
  const finish = (how: { readonly error?: unknown }): void => {
    end ??= how;
    tell?.();
    pause.end();
  };
  source.on('data', (chunk: Buffer) => {
    if (end !== undefined) return;
    arrived.push(chunk);
    held += chunk.length;
    received += chunk.length;
    if (held >= BUFFERED_BYTES) {
      source.pause();
      pause.end();
    }
    if (received > (failed ? MAX_ERROR_BYTES : MAX_BYTES)) {
      response.destroy();
      finish(failed ? {} : { error: tooLarge(host) });
    }
    // One read of the socket may hold many chunks: the waiter continues after the last of them, and takes them together.
    tell?.();
  });
  source.once('end', () => finish({}));
  source.once('error', (error) => finish({ error }));
  source.once('close', () => finish({ error: new Error('closed before its end') }));
  source.pause();
  const take = (): Buffer | undefined => {
    const chunks = arrived;
    arrived = [];
    held = 0;
    if (chunks.length > 0) return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    if (end === undefined || !('error' in end)) return undefined;
    throw isAbort(end.error) ? end.error : socketFailure(end.error, { host, phase: 'body' });
  };
  const stop = (): void => {
    end = {};
    arrived = [];
    pause.end();
    response.destroy();
    source.destroy();
  };
  return {
    isEmpty: () => arrived.length === 0 && end === undefined,
    news: () => {
      source.resume();
      return new Promise((resolve) => (tell = resolve));
    },
    rest: (ms) => (ms <= 0 || end !== undefined || held >= BUFFERED_BYTES ? undefined : rested(source, pause.last(ms))),
    take,
    stop,
  };
}

/** Paused for so long, and then read as far as it has come. */
async function rested(source: Readable, isOver: Promise<void>): Promise<void> {
  source.pause();
  await isOver;
  source.resume();
  // Timers come before sockets are read, and this after it.
  await new Promise(setImmediate);
}

type Pause = { readonly last: (ms: number) => Promise<void>; readonly end: () => void };

/** A wait that can be ended before its time. One at a time. */
function createPause(): Pause {
  let end = (): void => undefined;
  return {
    last: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        end = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
    end: () => end(),
  };
}

function decoded(response: IncomingMessage, { host, headers }: Origin): Readable {
  const encodings = (headers.get('content-encoding') ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');
  const decoders: Transform[] = [];
  for (const name of encodings.toReversed()) {
    const make = DECODERS[name];
    if (make === undefined) {
      response.destroy();
      throw new TransportFailure({
        code: 'encoding',
        phase: 'body',
        message: `${host} answered in an unknown encoding: ${name}.`,
      });
    }
    decoders.push(make());
  }
  const last = decoders.at(-1);
  if (last === undefined) return response;
  // The last stream carries the failure to the reader; the callback only keeps it from being thrown.
  pipeline([response, ...decoders], () => undefined);
  return last;
}

/** Each flushes what it has, so that an event arrives when it was sent and not when a block is full. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }),
  br: () =>
    createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
};

function tooLarge(host: string): TransportFailure {
  return new TransportFailure({
    code: 'too_large',
    phase: 'body',
    message: `${host} sent more than ${MAX_BYTES} bytes.`,
  });
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
