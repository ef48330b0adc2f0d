import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createFlush } from './flush.ts';

/** A disk whose flushes end, one by one, when the test says so; `flushed` is what the last one that ended has put there. */
function fakeDisk() {
  let written = 0;
  let flushed = 0;
  let flushes = 0;
  const ends: Array<(fails: boolean) => void> = [];
  return {
    write: () => (written += 1),
    flushed: () => flushed,
    flushes: () => flushes,
    waiting: () => ends.length,
    endOne: (fails = false) => ends.shift()?.(fails),
    files: {
      open: async () => 3,
      flush: () => {
        flushes += 1;
        const upTo = written;
        return new Promise<void>((resolve, reject) => {
          ends.push((fails) => {
            if (fails) return reject(new Error('EIO'));
            flushed = upTo;
            resolve();
          });
        });
      },
      close: async () => undefined,
    },
  };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('answers only from a flush that began after the question, whatever the order of writes and ends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom('write', 'end', 'turn'), { maxLength: 40 }), async (acts) => {
      const disk = fakeDisk();
      const flush = createFlush('wal', disk.files);
      const early: number[] = [];
      const asked: Promise<void>[] = [];
      for (const act of acts) {
        if (act === 'write') {
          const own = disk.write();
          asked.push(flush.all().then(() => void (disk.flushed() < own && early.push(own))));
        } else if (act === 'end') disk.endOne();
        else await turn();
      }
      for (let left = 0; left < acts.length + 2; left += 1) {
        await turn();
        disk.endOne();
      }
      await Promise.all(asked);
      expect(early).toEqual([]);
      await flush.close();
    }),
  );
});

it('flushes twice for a hundred who ask while the first is under way', async () => {
  const disk = fakeDisk();
  const flush = createFlush('wal', disk.files);
  disk.write();
  const first = flush.all();
  await turn();
  const others = Array.from({ length: 100 }, () => flush.all());
  disk.endOne();
  await first;
  await turn();
  disk.endOne();
  await Promise.all(others);
  expect(disk.flushes()).toBe(2);
  expect(flush.underWay()).toBeNull();
});

it('answers nobody after a flush that failed: what the disk lost then, no later one brings back', async () => {
  const disk = fakeDisk();
  const flush = createFlush('wal', disk.files);
  const first = flush.all();
  await turn();
  const second = flush.all();
  disk.endOne(true);
  await expect(first).rejects.toThrow('EIO');
  await expect(second).rejects.toThrow('EIO');
  await expect(flush.all()).rejects.toThrow('EIO');
  expect(disk.flushes()).toBe(1);
  await flush.close();
});

it('closes its file once, however often it is closed', async () => {
  const disk = fakeDisk();
  const closed: number[] = [];
  const flush = createFlush('wal', { ...disk.files, close: async (file) => void closed.push(file) });
  const asked = flush.all();
  await turn();
  disk.endOne();
  await asked;
  await Promise.all([flush.close(), flush.close()]);
  await flush.close();
  expect(closed).toEqual([3]);
});
