import { createHash } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGzip, gunzip } from 'node:zlib';
import { done, messageOf } from '@attractor/base';
import type { RunArchiveRow } from '../database/archive-rows.ts';
import type { EventRow } from '../database/schema.ts';
import { refuse, type Result } from '../types/refusal.ts';

export type StoredEventRow = Omit<EventRow, 'seq'> & { readonly seq: number };

export function archiveFolder(home: string, taskId: string): string {
  return join(home, 'archive', taskId);
}

/** A line of JSON for each event, as it was stored. The file is on disk, whole, or there is none. */
export async function writeArchive(
  path: string,
  rows: AsyncIterable<StoredEventRow>,
): Promise<Result<Pick<RunArchiveRow, 'bytes' | 'sha256'>>> {
  const part = `${path}.part`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(part, 'w', 0o600);
    const counted = counting();
    try {
      await pipeline(Readable.from(linesOf(rows)), createGzip(), counted.stream, async (chunks) => {
        for await (const chunk of chunks) await file.writeFile(chunk);
      });
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
    return done(counted.result());
  } catch (error) {
    await rm(part, { force: true });
    return refuse('unavailable', `The archive ${path} can't be written (${messageOf(error)}).`);
  }
}

async function* linesOf(rows: AsyncIterable<StoredEventRow>): AsyncGenerator<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}

function counting() {
  const hash = createHash('sha256');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      hash.update(chunk);
      bytes += chunk.length;
      next(null, chunk);
    },
  });
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) };
}

/** Refused if the file is elsewhere or no longer what was written. */
export async function readArchive(archive: RunArchiveRow): Promise<Result<ReadonlyArray<StoredEventRow>>> {
  const { path, machine, sha256 } = archive;
  try {
    const bytes = await readFile(path);
    if (createHash('sha256').update(bytes).digest('hex') !== sha256)
      return refuse('unavailable', `The archived transcript ${path} is damaged: it is not what was written.`);
    const lines = (await promisify(gunzip)(bytes)).toString('utf8').trimEnd().split('\n');
    return done(lines.map((line): StoredEventRow => JSON.parse(line)));
  } catch (error) {
    return refuse(
      'unavailable',
      `The transcript is archived in ${path} on ${machine}, and can't be read here (${messageOf(error)}).`,
    );
  }
}
