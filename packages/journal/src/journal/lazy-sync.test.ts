import { describe, expect, it } from 'vitest';
import { createMemoryDisk } from '@attractor/system/testing';
import { until } from '@attractor/base/testing';
import type { DeliveredEvent } from '../events/event.ts';
import type { Disk } from '@attractor/system';
import { openJournal } from './file-journal.ts';
import { readRecords } from './read-journal.ts';

const FILE = '/sessions/ses_1/journal.jsonl';
const input = (seq: number): DeliveredEvent => ({ kind: 'USER_INPUT', content: 'x', seq, at: '', sessionId: 's' });

/** A journal whose own syncs end when the test says so. */
function makeWorld() {
  const memory = createMemoryDisk();
  const underWay: (() => void)[] = [];
  const disk: Disk = { ...memory, syncLater: (_fd, done) => void underWay.push(() => done(null)) };
  const left = (): ReadonlyArray<number> =>
    [...readRecords(FILE, { disk: memory.afterPowerCut(() => 0) })].map(({ seq }) => seq);
  return { journal: openJournal(FILE, { disk }), underWay, left };
}

describe('a sync that nobody asked for', () => {
  it('does not cover what was written after it began: that is synced when it is asked for', async () => {
    const { journal, underWay, left } = makeWorld();
    journal.append(input(1));
    journal.sync();
    journal.append(input(2));
    await until(() => underWay.length > 0);
    journal.append(input(3));
    underWay.forEach((finish) => finish());
    journal.sync();
    expect(left()).toEqual([1, 2, 3]);
    journal.close();
  });

  it('is followed by another one for what was written meanwhile', async () => {
    const { journal, underWay } = makeWorld();
    journal.append(input(1));
    journal.sync();
    journal.append(input(2));
    await until(() => underWay.length > 0);
    journal.append(input(3));
    underWay.forEach((finish) => finish());
    await until(() => underWay.length > 1);
    expect(underWay).toHaveLength(2);
    journal.close();
  });
});
