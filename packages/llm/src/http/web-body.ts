import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { createCatchUp } from './catch-up.ts';
import { fairTurn } from './fair-turn.ts';
import type { LightHeaders } from './light-headers.ts';
import { LightReadable } from './light-readable.ts';
import { socketFailure, TransportFailure } from './transport-failure.ts';

/** A stream longer than this is no model's answer; an error page is cut at its first megabyte. */
const MAX_BYTES = 512 * 1024 * 1024;
const MAX_ERROR_BYTES = 1024 * 1024;
const BUFFERED_BYTES = 64 * 1024;
const CR = 0x0d;

/** Whose body it is, and what was said of it. */
type Origin = { readonly host: string; readonly headers: LightHeaders };

/**
 * The response's bytes as a web stream, decoded. Reads from the socket only as fast as the consumer pulls;
 * cancelling destroys the socket; a body read to its end gives the socket back to the pool.
 */
export function webBody(response: IncomingMessage, { host, headers }: Origin): LightReadable<Uint8Array> {
  const source = decoded(response, { host, headers });
  const failed = (response.statusCode ?? 0) >= 400;
  const isEvents = (headers.get('content-type') ?? '').startsWith('text/event-stream');
  const catchUp = createCatchUp();
  let arrived: Buffer[] = [];
  let received = 0;
  let lastByte: number | undefined;
  let over = false;
  return new LightReadable<Uint8Array>(
    {
      start(controller) {
        const end = (error?: unknown): void => {
          if (over) return;
          flush();
          over = true;
          // A parser of events waits behind a CR for its LF; at the end there is none to wait for.
          if (error === undefined && isEvents && lastByte === CR) controller.enqueue(Buffer.from('\n'));
          if (error === undefined) controller.close();
          else controller.error(isAbort(error) ? error : socketFailure(error, { host, phase: 'body' }));
        };
        const flush = (): void => {
          if (arrived.length === 0) return;
          const bytes = arrived.length === 1 ? arrived[0] : Buffer.concat(arrived);
          arrived = [];
          if (over || bytes === undefined) return;
          controller.enqueue(isEvents ? catchUp(bytes) : bytes);
          if ((controller.desiredSize ?? 0) <= 0) source.pause();
        };
        source.on('data', (chunk: Buffer) => {
          if (over) return;
          received += chunk.length;
          lastByte = chunk.at(-1);
          // One read of the socket may hold many chunks; they are passed on together, before anything else happens.
          if (arrived.push(chunk) === 1) process.nextTick(flush);
          if (received <= (failed ? MAX_ERROR_BYTES : MAX_BYTES)) return;
          flush();
          response.destroy();
          end(failed ? undefined : tooLarge(host));
        });
        source.once('end', () => end());
        source.once('error', end);
        source.once('close', () => end(new Error('closed before its end')));
        source.pause();
      },
      async pull() {
        if (received === 0) await fairTurn();
        source.resume();
      },
      cancel() {
        over = true;
        response.destroy();
        source.destroy();
      },
    },
    { highWaterMark: BUFFERED_BYTES, size: (chunk) => chunk.byteLength },
  );
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
