import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createRedactor, redactStream, type Redactor } from '@attractor/redact';
import type { Piece } from './format.ts';

const PIECE_BYTES = 64 << 10;

/** Secrets as they look in bytes that are read as Latin-1, which keeps every byte. */
export function byteRedactor(secrets: ReadonlyArray<string>): Redactor {
  return createRedactor({ secrets: secrets.flatMap((secret) => [secret, Buffer.from(secret).toString('latin1')]) });
}

/** A file in pieces, without secrets; bytes that belong to none stay as they are. Needs memory for a few pieces. */
export async function* filePieces(
  file: string,
  redactor: Redactor,
): AsyncGenerator<Piece & { readonly isMasked: boolean }> {
  const stream = redactStream(redactor);
  let held = '';
  const [read, given] = [createHash('sha256'), createHash('sha256')];
  for await (const chunk of createReadStream(file, { highWaterMark: PIECE_BYTES })) {
    const bytes: Buffer = chunk;
    read.update(bytes);
    held += stream.push(bytes.toString('latin1'));
    const cut = wholeLines(held);
    if (cut === 0) continue;
    given.update(held.slice(0, cut), 'latin1');
    yield { ...pieceOf(held.slice(0, cut)), isMasked: false };
    held = held.slice(cut);
  }
  held += stream.end();
  given.update(held, 'latin1');
  yield { ...pieceOf(held), isMasked: given.digest('hex') !== read.digest('hex') };
}

/** Pieces end with a line where they can, so that text stays text. */
function wholeLines(held: string): number {
  if (held.length < PIECE_BYTES) return 0;
  const end = held.lastIndexOf('\n') + 1;
  return end > 0 || held.length < 4 * PIECE_BYTES ? end : held.length;
}

function pieceOf(latin1: string): Piece {
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? { text: bytes.toString('utf8') } : { base64: bytes.toString('base64') };
}

export function bytesOfPiece(piece: Piece): Buffer {
  return 'text' in piece ? Buffer.from(piece.text) : Buffer.from(piece.base64, 'base64');
}
