import { carryTogether } from './carry-together.ts';
import type { Asked, Transacted, Writer } from './postgres-writer.ts';
import { hear } from './silent-work.ts';
import { isRefusal } from '../types/refusal.ts';
import type { Manner } from './store.ts';

/**
 * The writers of this process. Transactions about the same are begun in the order in which they were asked for, and only one of them takes
 * a connection: those that wait for a turn never keep others from writing.
 */
export function openWriters(open: () => Writer, most: number) {
  const all: Writer[] = [];
  const free: Writer[] = [];
  const waiting: Array<(writer: Writer) => void> = [];
  const turns = new Map<string, Promise<unknown>>();
  const running = new Set<Promise<unknown>>();

  const take = (): Promise<Writer> | Writer => {
    const writer = free.pop() ?? (all.length < most ? open() : undefined);
    if (writer === undefined) return new Promise((resolve) => void waiting.push(resolve));
    if (!all.includes(writer)) all.push(writer);
    return writer;
  };
  const giveBack = (writer: Writer): void => {
    const next = waiting.shift();
    if (next === undefined) free.push(writer);
    else next(writer);
  };
  const write = async <Value>(asked: Asked<Value>): Promise<Transacted<Value>> => {
    const writer = await take();
    try {
      return await writer.transact(asked);
    } finally {
      giveBack(writer);
    }
  };
  const together = carryTogether(write);
  const writeSilently = async <Value>(asked: Asked<Value>): Promise<Transacted<Value>> => {
    const silent = asked.about === undefined ? null : await hear(asked);
    if (silent === null) return write(asked);
    if (silent.writes.length === 0 || isRefusal(silent.value)) return { value: silent.value, written: null };
    const written = await together({ about: asked.about ?? [], writes: silent.writes });
    return written === 'alone' ? write(asked) : { value: silent.value, written };
  };
  return {
    transact: <Value>(asked: Asked<Value>, manner: Manner = 'asking'): Promise<Transacted<Value>> => {
      const names: ReadonlyArray<string> = asked.about ?? ['everything'];
      const own = Promise.all(names.flatMap((name) => turns.get(name) ?? [])).then(() =>
        manner === 'silent' ? writeSilently(asked) : write(asked),
      );
      const over = own.then(
        () => undefined,
        () => undefined,
      );
      for (const name of names) turns.set(name, over);
      running.add(over);
      void over.then(() => {
        running.delete(over);
        for (const name of names) if (turns.get(name) === over) turns.delete(name);
      });
      return own;
    },
    settled: async (): Promise<void> => {
      while (running.size > 0) await Promise.all(running);
    },
    close: async (): Promise<void> => void (await Promise.all(all.map((writer) => writer.close()))),
  };
}
