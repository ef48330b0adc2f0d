import { statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defined } from '@attractor/base';
import { holderOf, realDisk } from '@attractor/system';
import type { JournalRecord } from '../journal/journal.ts';
import { journalLines } from '../journal/journal-lines.ts';
import { livenessOf, readRewinds } from '../journal/live-records.ts';

import { restore, sideFolder } from '../journal/side-files.ts';
import type { FollowOptions } from './contract.ts';

/** How soon a viewer sees new records. */
const LOOK_MS = 50;

/**
 * A viewer: the journal's contents and then what its writer adds, without ever blocking it. It ends when the session has ended and nobody
 * writes it, when its journal is gone, or when the signal aborts.
 */
export async function* followJournal(
  journal: string,
  options: FollowOptions = {},
): AsyncGenerator<JournalRecord, void> {
  const { signal } = options;
  const isLive = livenessOf(readRewinds(realDisk, journal));
  let last = options.afterSeq ?? 0;
  let read = 0;
  let ended = false;
  for (;;) {
    if (signal?.aborted === true) return;
    const isFree = holderOf(`${journal}.lock`) === null;
    for (const { record: stored, whole, end } of journalLines(realDisk, journal, read)) {
      if (!whole) break;
      read = end;
      if (stored === null) continue;
      ended = ENDS[stored.event.kind] ?? ended;
      if (stored.seq <= last || !isLive(stored.seq)) continue;
      last = stored.seq;
      yield restore(realDisk, sideFolder(journal), stored).record;
    }
    if (ended && isFree) return;
    if (!(await moreThan(journal, read, signal))) return;
  }
}

const ENDS: Readonly<Record<string, boolean>> = { SESSION_END: true, SESSION_START: false, SESSION_RESUMED: false };

/** Resolves when there is more to read or to know; false if the journal is gone. */
async function moreThan(journal: string, read: number, signal: AbortSignal | undefined): Promise<boolean> {
  for (let looks = 0; ; looks++) {
    const size = statSync(journal, { throwIfNoEntry: false })?.size;
    if (size === undefined) return false;
    if (size > read || looks > 4) return true;
    await wait(LOOK_MS, undefined, defined({ signal })).catch(() => undefined);
  }
}
