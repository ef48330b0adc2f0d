import type { Disk } from '@attractor/system';
import { holds, rawLines } from './journal-lines.ts';
import type { JournalRecord } from './journal.ts';
import { decodeBytes } from './record.ts';

/**
 * A rewind is a record too: after `{ kind: 'REWOUND', toSeq }` the conversation is what it was right after record `toSeq`. Nothing is
 * removed from the file, so a rewind to before an earlier rewind brings back what that one hid.
 */
export const REWOUND = 'REWOUND';

export type Rewind = { readonly seq: number; readonly toSeq: number };

export function rewindOf({ seq, event }: JournalRecord): Rewind | null {
  if (event.kind !== REWOUND) return null;
  const toSeq = event['toSeq'];
  return typeof toSeq === 'number' && toSeq < seq ? { seq, toSeq } : null;
}

/** Short, and of letters that are rare in text: a whole large file is searched for it. */
const NEEDLE = Buffer.from(REWOUND);

/** All rewinds of the file. Most have none, which a search shows quickly; otherwise only the lines that may hold one are decoded. */
export function readRewinds(disk: Disk, file: string): ReadonlyArray<Rewind> {
  const rewinds: Rewind[] = [];
  if (!holds(disk, file, NEEDLE)) return rewinds;
  for (const { bytes } of rawLines(disk, file)) {
    if (!bytes.includes(NEEDLE)) continue;
    const record = decodeBytes(bytes);
    const rewind = record === null ? null : rewindOf(record);
    if (rewind !== null) rewinds.push(rewind);
  }
  return rewinds;
}

/** Whether a record is part of the current conversation, given all rewinds. */
export function livenessOf(rewinds: ReadonlyArray<Rewind>): (seq: number) => boolean {
  const hidden: { readonly after: number; readonly before: number }[] = [];
  let current = Infinity;
  for (const { seq, toSeq } of rewinds.toSorted((a, b) => b.seq - a.seq)) {
    if (seq > current) continue;
    hidden.push({ after: toSeq, before: seq });
    current = toSeq;
  }
  return (seq) => !hidden.some(({ after, before }) => seq > after && seq < before);
}
