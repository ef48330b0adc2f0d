import { isUtf8 } from 'node:buffer';
import { read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { EnvironmentError } from '@attractor/system';
import type { OpenFile } from './open-file.ts';

export type LineRange = { readonly offset: number; readonly limit: number; readonly signal?: AbortSignal | undefined };

const FIRST_CHUNK_BYTES = 64 << 10;
const CHUNK_BYTES = 1 << 20;
const MAX_RETURNED_BYTES = 16 << 20;
const NEWLINE = 10;

/**
 * The requested lines, numbered for a model: `     1<TAB>text`. Reads in chunks and keeps only what it returns, so a huge file costs the
 * memory of the requested lines. Line endings and a byte order mark are not shown. Only shown lines must be text: a line that is not is
 * refused, others can still be read.
 */
export async function readNumberedLines({ fd, stats }: OpenFile, name: string, range: LineRange): Promise<string> {
  range.signal?.throwIfAborted();
  // One byte more than expected: a file that is read whole leaves room. Some kernel files are longer than they claim.
  const first = Buffer.allocUnsafe(stats.size === 0 ? FIRST_CHUNK_BYTES : Math.min(FIRST_CHUNK_BYTES, stats.size + 1));
  const begin = first.subarray(0, readSync(fd, first, 0, first.length, 0));
  if (begin.length < first.length && isUtf8(begin) && !begin.includes(0))
    return numberLines(begin.toString(), name, range);
  const collector = createCollector(name, range);
  collector.push(begin);
  let chunk: Buffer | undefined;
  for (let position = begin.length; !collector.done();) {
    range.signal?.throwIfAborted();
    chunk ??= Buffer.allocUnsafe(CHUNK_BYTES);
    const { bytesRead } = await promisify(read)(fd, chunk, 0, chunk.length, position);
    if (bytesRead === 0) break;
    collector.push(chunk.subarray(0, bytesRead));
    position += bytesRead;
  }
  return collector.finish();
}

/** The same of a complete text, such as a short file, as most are. */
export function numberLines(text: string, name: string, { offset, limit }: LineRange): string {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const shown = lines.slice(offset, offset + limit);
  if (shown.length === 0 && offset > 0) throw pastTheEnd(name, offset, lines.length);
  return shown.map((line, index) => numbered(offset + index, line)).join('\n');
}

/** A NUL byte near the beginning means that it is not a text file. */
export function refuseBinary(bytes: Uint8Array, name: string): void {
  if (looksBinary(bytes)) throw binary(name);
}

function looksBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8_192).includes(0);
}

type Collector = {
  readonly push: (bytes: Buffer) => void;
  readonly done: () => boolean;
  readonly finish: () => string;
};

function createCollector(name: string, range: LineRange): Collector {
  const end = range.offset + range.limit;
  const lines: string[] = [];
  let index = 0;
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let open = false;
  let isBinary: boolean | undefined;

  const keep = (bytes: Buffer): void => {
    if (index < range.offset || index >= end || bytes.length === 0) return;
    keptBytes += bytes.length;
    if (keptBytes > MAX_RETURNED_BYTES) {
      if (isBinary) throw binary(name);
      throw lines.length === 0 ? lineTooLong(name, index) : tooMuch(name, index);
    }
    kept.push(Buffer.from(bytes));
  };
  const endLine = (): void => {
    if (index >= range.offset && index < end) {
      const bytes = Buffer.concat(kept);
      if (bytes.includes(0) || (isBinary && !isUtf8(bytes))) throw binary(name);
      if (!isUtf8(bytes)) throw notUtf8(name, index);
      lines.push(numbered(index, bytes.toString()));
    }
    kept = [];
    index++;
    open = false;
  };
  return {
    push(bytes) {
      isBinary ??= looksBinary(bytes);
      let start = 0;
      for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, start)) {
        if (index >= end) return;
        keep(bytes.subarray(start, at));
        endLine();
        start = at + 1;
      }
      keep(bytes.subarray(start));
      open ||= start < bytes.length;
    },
    done: () => index >= end,
    finish() {
      if (open && index < end) endLine();
      if (lines.length === 0 && range.offset > 0) throw pastTheEnd(name, range.offset, index);
      return lines.join('\n');
    },
  };
}

function numbered(index: number, line: string): string {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  return `${String(index + 1).padStart(6)}\t${index === 0 ? text.replace(/^\ufeff/, '') : text}`;
}

function binary(name: string): EnvironmentError {
  return new EnvironmentError({
    code: 'binary',
    message: `${name} is a binary file and can't be shown as text: look at it with a program made for it.`,
  });
}

function notUtf8(name: string, index: number): EnvironmentError {
  return new EnvironmentError({
    code: 'binary',
    message: `${name} is not valid UTF-8 text (line ${index + 1}): convert it, for example with iconv -f latin1 -t utf-8, or read other lines.`,
  });
}

function lineTooLong(name: string, index: number): EnvironmentError {
  return new EnvironmentError({
    code: 'too_large',
    message: `Line ${index + 1} of ${name} alone is longer than ${MAX_RETURNED_BYTES} bytes: look at a part of it with a command such as cut -b 1-2000, or search it with grep.`,
  });
}

function tooMuch(name: string, index: number): EnvironmentError {
  return new EnvironmentError({
    code: 'too_large',
    message: `${name} is too large to show from here (line ${index + 1}): ask for fewer lines with offset and limit, or search it with grep.`,
  });
}

function pastTheEnd(name: string, offset: number, total: number): EnvironmentError {
  return new EnvironmentError({
    code: 'out_of_range',
    message: `${name} has ${total} lines; there is nothing after the first ${offset}.`,
  });
}
