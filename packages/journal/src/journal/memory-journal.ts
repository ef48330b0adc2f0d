import type { Journal, JournalRecord } from './journal.ts';
import { decodeRecord, encodeRecord, toRecord } from './record.ts';

/** Lives as long as the process. Records go through the same encoding as on disk, so what works here works there. */
export function createMemoryJournal(): Journal {
  const lines: string[] = [];
  return {
    append: (event) => void lines.push(encodeRecord(toRecord(event)).trimEnd()),
    sync: () => undefined,
    read: (afterSeq = 0) => lines.flatMap(decoded).filter((record) => record.seq > afterSeq),
    close: () => undefined,
  };
}

function decoded(line: string): ReadonlyArray<JournalRecord> {
  const record = decodeRecord(line);
  return record === null ? [] : [record];
}
