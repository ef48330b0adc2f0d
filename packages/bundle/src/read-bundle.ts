import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { codeOf } from '@attractor/system';
import { done, isRecord, messageOf } from '@attractor/base';
import { refuse, type Result } from '@attractor/store';
import { BUNDLE_VERSION, type BundleHeader, type BundlePart } from './format.ts';
import { isPart } from './known-parts.ts';

/** A bundle that is whole. `parts` reads it again from its beginning; parts of later versions are left out. */
export type Bundle = {
  readonly header: BundleHeader;
  readonly parts: () => AsyncGenerator<BundlePart>;
};

/** Reads a file through to its end before anything of it counts. */
export async function openBundle(file: string): Promise<Result<Bundle>> {
  try {
    return await verify(file);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return refuse('not_found', `There is no file ${file}.`);
    if (code === 'EISDIR' || code === 'EACCES')
      return refuse('invalid', `${file} can't be read (${messageOf(error)}).`);
    return refuse(
      'invalid',
      code === 'Z_DATA_ERROR' && messageOf(error) === 'incorrect header check' ? foreign(file) : damaged(file),
    );
  }
}

async function verify(file: string): Promise<Result<Bundle>> {
  const hash = createHash('sha256');
  let header: BundleHeader | null = null;
  let lines = 0;
  let end: unknown = null;
  for await (const line of linesOf(file)) {
    if (end !== null) return refuse('invalid', damaged(file));
    const value = parsed(line);
    if (header === null) {
      const read = readHeader(file, value);
      if (!read.ok) return read;
      header = read.value;
    }
    if (isRecord(value) && value['end'] === true) end = value;
    else {
      hash.update(line);
      hash.update('\n');
      lines++;
    }
  }
  const isWhole = isRecord(end) && end['lines'] === lines && end['sha256'] === hash.digest('hex');
  if (header === null || !isWhole) return refuse('invalid', header === null ? foreign(file) : damaged(file));
  return done({ header, parts: () => partsOf(file) });
}

function readHeader(file: string, value: unknown): Result<BundleHeader> {
  if (!isRecord(value) || value['attractor'] !== 'run') return refuse('invalid', foreign(file));
  const { v, runId, madeAt, isFinished } = value;
  if (typeof v !== 'number' || typeof runId !== 'string' || typeof madeAt !== 'string')
    return refuse('invalid', damaged(file));
  if (v > BUNDLE_VERSION)
    return refuse(
      'invalid',
      `${file} was written by a newer attractor (format ${v}; this one reads ${BUNDLE_VERSION}): update attractor.`,
    );
  return done({ attractor: 'run', v, runId, madeAt, isFinished: isFinished === true });
}

function foreign(file: string): string {
  return `${file} is not a run bundle: it is what \`attractor runs export\` writes.`;
}

function damaged(file: string): string {
  return `${file} is damaged or was cut off: export the run again.`;
}

async function* partsOf(file: string): AsyncGenerator<BundlePart> {
  for await (const line of linesOf(file)) {
    const value = parsed(line);
    if (isPart(value)) yield value;
  }
}

function parsed(line: Buffer): unknown {
  return JSON.parse(line.toString('utf8'));
}

const MAX_LINE_BYTES = 256 << 20;
const NEWLINE = 10;

/** One line at a time; a file that has none for very long is not ours. */
async function* linesOf(file: string): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  const source = createReadStream(file);
  const unpacked = createGunzip();
  source.on('error', (error) => unpacked.destroy(error));
  for await (const chunk of source.pipe(unpacked)) {
    let rest: Buffer = chunk;
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      yield Buffer.concat([...held, rest.subarray(0, at)]);
      [held, size] = [[], 0];
      rest = rest.subarray(at + 1);
    }
    held.push(rest);
    size += rest.length;
    if (size > MAX_LINE_BYTES) throw new Error('a line is too long');
  }
  if (size > 0) throw new Error('the last line is cut off');
}
