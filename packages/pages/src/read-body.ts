import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';

/** `isCut`: the body exceeded the limit; the rest was not read. */
export type Body = { readonly bytes: Buffer; readonly isCut: boolean };

/**
 * Reads a body in pieces up to a number of decompressed bytes, so that neither a huge nor a highly compressed one costs more. Null: it is
 * damaged.
 */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<Body | null> {
  const unpacked = unpack(response);
  if (unpacked === null) return null;
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of unpacked as AsyncIterable<Buffer>) {
      pieces.push(piece);
      length += piece.length;
      if (length > maxBytes) break;
    }
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  } finally {
    response.destroy();
    unpacked.destroy();
  }
  return { bytes: Buffer.concat(pieces).subarray(0, maxBytes), isCut: length > maxBytes };
}

/** Null for an encoding that we did not request. */
function unpack(response: IncomingMessage): IncomingMessage | Transform | null {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  const zlib = process.getBuiltinModule('node:zlib');
  const makers: Readonly<Record<string, () => Transform>> = {
    gzip: () => zlib.createGunzip(),
    'x-gzip': () => zlib.createGunzip(),
    deflate: () => zlib.createInflate(),
    br: () => zlib.createBrotliDecompress(),
  };
  const transform = makers[encoding]?.();
  if (transform === undefined) return null;
  response.on('error', (error) => transform.destroy(error));
  return response.pipe(transform);
}

function isDamage(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^(?:Z_|ERR__?BROTLI|ERR_BUFFER)/.test(error.code)
  );
}
