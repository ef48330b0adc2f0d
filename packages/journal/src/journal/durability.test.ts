import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryDisk, failingDisk, type MemoryDisk } from '@attractor/system/testing';

import { runs } from '@attractor/base/testing';
import type { DeliveredEvent } from '../events/event.ts';
import type { Disk } from '@attractor/system';
import { JournalError } from './error.ts';
import { openJournal } from './file-journal.ts';
import { readRecords } from './read-journal.ts';

const FILE = '/home/sessions/ses_1/journal.jsonl';

const input = (seq: number, length = 20): DeliveredEvent => {
  return { kind: 'USER_INPUT', content: `${seq} `.repeat(length), seq, at: '', sessionId: 's' };
};
const LARGE = 20_000;

const contents = (disk: Disk): ReadonlyArray<unknown> =>
  [...readRecords(FILE, { disk })].map(({ event }) => event['content']);

describe('a power cut', () => {
  it('costs nothing that a sync had covered, whatever became of the rest', async () => {
    const step = fc.constantFrom('small', 'large', 'same large', 'sync', 'wait', 'reopen', 'die');
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
        async (steps, chances) => {
          const disk = createMemoryDisk();
          let journal = openJournal(FILE, { disk });
          const written: string[] = [];
          let durable = 0;
          for (const [index, what] of steps.entries()) {
            if (what === 'sync') journal.sync();
            else if (what === 'wait') await wait(0);
            else if (what === 'die') {
              disk.remove(`${FILE}.lock`);
              journal = openJournal(FILE, { disk });
            } else if (what === 'reopen') {
              journal.close();
              journal = openJournal(FILE, { disk });
            } else {
              const event = input(what === 'same large' ? 1 : index + 1, what === 'small' ? 20 : LARGE);
              journal.append({ ...event, seq: written.length + 1 });
              written.push('content' in event && typeof event.content === 'string' ? event.content : '');
            }
            if (what === 'sync' || what === 'reopen') durable = written.length;
          }
          const left = contents(disk.afterPowerCut(() => chances.next().value));
          expect(left.slice(0, durable)).toEqual(written.slice(0, durable));
          expect(left.every((content) => written.includes(String(content)))).toBe(true);
          journal.close();
        },
      ),
      { numRuns: runs(50, 20_000) },
    );
  });

  it('after a sync under way does not count as after it: asking for a sync still syncs', async () => {
    const memory = createMemoryDisk();
    const finish: (() => void)[] = [];
    let syncs = 0;
    const disk: Disk = {
      ...memory,
      sync: (fd) => {
        syncs++;
        memory.sync(fd);
      },
      syncLater: (_fd, done) => void finish.push(() => done(null)),
    };
    const journal = openJournal(FILE, { disk });
    journal.append(input(1));
    journal.sync();
    journal.append(input(2));
    while (finish.length === 0) await wait(5);
    expect(syncs).toBe(1);
    journal.sync();
    expect(syncs).toBe(2);
    finish.forEach((one) => one());
    journal.sync();
    expect(syncs).toBe(2);
    journal.close();
  });

  it('is preceded within moments by a sync that nobody asked for', async () => {
    const disk = createMemoryDisk();
    const journal = openJournal(FILE, { disk });
    journal.append(input(1));
    journal.sync();
    journal.append(input(2));
    const gone = () => 0;
    await expect.poll(() => contents(disk.afterPowerCut(gone))).toHaveLength(2);
    journal.close();
  });
});

describe('a disk that refuses', () => {
  type Told = { readonly acknowledged: number[]; readonly errors: unknown[] };

  /** Writes eight events, large ones among them, as a session would; goes on after failures. */
  const work = (disk: Disk): Told => {
    const told: Told = { acknowledged: [], errors: [] };
    const attempt = (step: () => void): boolean => {
      try {
        step();
        return true;
      } catch (error) {
        told.errors.push(error);
        return false;
      }
    };
    let journal: ReturnType<typeof openJournal> | undefined;
    attempt(() => void (journal = openJournal(FILE, { disk })));
    if (journal === undefined) return told;
    const opened = journal;
    for (let seq = 1; seq <= 8; seq++) {
      if (attempt(() => opened.append(input(seq, seq % 3 === 0 ? LARGE : 20)))) told.acknowledged.push(seq);
      if (seq % 2 === 0) attempt(() => opened.sync());
    }
    attempt(() => opened.close());
    return told;
  };

  const seqs = (disk: MemoryDisk): ReadonlyArray<number> => [...readRecords(FILE, { disk })].map(({ seq }) => seq);

  it.each([
    ['ENOSPC', 'no_space'],
    ['EROFS', 'permission'],
    ['EMFILE', 'failed'],
    ['EIO', 'failed'],
  ])('with %s at any point loses no acknowledged record, leaves nothing behind and says %s', (code, kind) => {
    const { points } = failingDisk(createMemoryDisk(), { nth: Infinity, code, lasts: false });
    expect(points()).toBe(0);
    const probe = failingDisk(createMemoryDisk(), { nth: Infinity, code, lasts: false });
    work(probe);
    const total = probe.points();
    expect(total).toBeGreaterThan(20);
    for (const lasts of [false, true]) {
      for (let nth = 1; nth <= total; nth++) {
        const memory = createMemoryDisk();
        const { acknowledged, errors } = work(failingDisk(memory, { nth, code, lasts }));
        const where = { code, nth, lasts };
        expect({ ...where, missing: acknowledged.filter((seq) => !seqs(memory).includes(seq)) }).toEqual({
          ...where,
          missing: [],
        });
        expect(memory.files().filter((file) => /\.lock|\.new|\.copy|\.heir/.test(file))).toEqual([]);
        expect(errors.length).toBeGreaterThan(0);
        for (const error of errors) expect(error).toMatchObject({ name: 'JournalError', code: kind });
        const { acknowledged: later } = work(memory);
        expect(later).toHaveLength(8);
      }
    }
  });

  it('in a sync ends all writing, since nobody knows what was stored', () => {
    const memory = createMemoryDisk();
    const disk: Disk = {
      ...memory,
      sync: () => {
        throw Object.assign(new Error('EIO'), { code: 'EIO' });
      },
    };
    const journal = openJournal(FILE, { disk });
    journal.append(input(1));
    expect(() => journal.sync()).toThrow(JournalError);
    expect(() => journal.append(input(2))).toThrow(JournalError);
    expect(() => journal.close()).not.toThrow();
    expect(memory.files()).toEqual([FILE]);
  });

  it('for a moment in a write only costs that record', () => {
    const memory = createMemoryDisk();
    let full = false;
    const disk: Disk = {
      ...memory,
      write: (fd, bytes, offset) => {
        if (!full) return memory.write(fd, bytes, offset);
        throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
      },
    };
    const journal = openJournal(FILE, { disk });
    journal.append(input(1));
    full = true;
    expect(() => journal.append(input(2))).toThrow(expect.objectContaining({ code: 'no_space', retryable: true }));
    full = false;
    journal.append(input(3));
    journal.close();
    expect(seqs(memory)).toEqual([1, 3]);
  });
});
