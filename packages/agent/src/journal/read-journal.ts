import { closeSync, openSync, readSync } from 'node:fs';
import type { JournalRecord } from './journal.ts';
import { decodeRecord } from './record.ts';

/** A stretch of the file that is no record: what a crash or a bad disk left. It costs itself only. */
export type DamagedRecord = { readonly line: number; readonly bytes: number };

export type JournalContent = {
  readonly records: ReadonlyArray<JournalRecord>;
  readonly damaged: ReadonlyArray<DamagedRecord>;
};

const CHUNK_BYTES = 1 << 20;

/** Everything that can be read, in the order of `seq`, none twice. Needs no lock: viewers use it. A missing file is an empty journal. */
export function readJournal(path: string, afterSeq = 0): JournalContent {
  const records = new Map<number, JournalRecord>();
  const damaged: DamagedRecord[] = [];
  let line = 0;
  for (const bytes of linesOf(path)) {
    line++;
    if (bytes.length === 0) continue;
    const record = decodeRecord(bytes.toString('utf8'));
    if (record === null) damaged.push({ line, bytes: bytes.length });
    else if (record.seq > afterSeq && !records.has(record.seq)) records.set(record.seq, record);
  }
  return { records: [...records.values()].toSorted((a, b) => a.seq - b.seq), damaged };
}

function* linesOf(path: string): Generator<Buffer> {
  const fd = openOrNull(path);
  if (fd === null) return;
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let rest: Buffer[] = [];
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0 && end < read; end = chunk.indexOf(10, start)) {
        yield Buffer.concat([...rest, chunk.subarray(start, end)]);
        rest = [];
        start = end + 1;
      }
      if (start < read) rest.push(Buffer.from(chunk.subarray(start, read)));
    }
    if (rest.length > 0) yield Buffer.concat(rest);
  } finally {
    closeSync(fd);
  }
}

function openOrNull(path: string): number | null {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}
