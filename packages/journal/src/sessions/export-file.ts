import { closeSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { codeOf, realDisk } from '@attractor/system';
import { journalLines } from '../journal/journal-lines.ts';
import { sideFolder } from '../journal/side-files.ts';
import { subagentJournal } from '../journal/subagent-journals.ts';
import { subagentNames } from './subagent-names.ts';

/**
 * A session as one file of JSON lines: `{"attractor":"session","v":1,"id"}`, the large strings as `{"blob":sha256,"data":base64}` (several
 * lines for one are joined in order), the journal's records byte for byte; then, for each subagent with a journal, `{"subagent":name}` and
 * the same for it; and `{"end":true,"records","blobs","subagents"}` with the totals. Damaged records are left out. The same session always
 * gives the same bytes. Snapshots for undo and kept outputs of commands are not part of it.
 */
export function* exportLines(journal: string, id: string): Generator<string, void> {
  const sums: Sums = { records: 0, blobs: 0 };
  yield line({ attractor: 'session', v: 1, id });
  yield* journalPart(journal, new Set(), sums);
  const shared = new Set<string>();
  const names = subagentNames(journal);
  for (const name of names) {
    yield line({ subagent: name });
    yield* journalPart(subagentJournal(journal, name), shared, sums);
  }
  yield line({ end: true, ...sums, ...(names.length === 0 ? {} : { subagents: names.length }) });
}

type Sums = { records: number; blobs: number };

/** `blobs`: those already written that are in the same folder. */
function* journalPart(journal: string, blobs: Set<string>, sums: Sums): Generator<string, void> {
  for (const { record } of journalLines(realDisk, journal)) {
    for (const { sha256 } of record?.side ?? []) {
      if (blobs.has(sha256)) continue;
      const parts = [...blobLines(path.join(sideFolder(journal), sha256), sha256)];
      if (parts.length > 0) {
        blobs.add(sha256);
        sums.blobs++;
      }
      yield* parts;
    }
  }
  let last = -1;
  for (const { record, text } of journalLines(realDisk, journal)) {
    if (record === null || record.seq <= last) continue;
    last = record.seq;
    sums.records++;
    yield `${text}\n`;
  }
}

const PART_BYTES = 3 << 18;

/** None if the file is lost. */
function* blobLines(file: string, sha256: string): Generator<string, void> {
  const fd = openOrNull(file);
  if (fd === null) return;
  try {
    const part = Buffer.allocUnsafe(PART_BYTES);
    for (let read = readSync(fd, part); read > 0; read = readSync(fd, part))
      yield line({ blob: sha256, data: part.toString('base64', 0, read) });
  } finally {
    closeSync(fd);
  }
}

function openOrNull(file: string): number | null {
  try {
    return openSync(file, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
