import type { Subjects } from './subjects.ts';
import type { Work } from './store.ts';
import type { Transacted, Writer } from './postgres-writer.ts';

/** As `Store.transact`. */
type Asked<Value> = readonly [work: Work<Value>, about?: Subjects, first?: Work<void>];

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
  const write = async <Value>(...asked: Asked<Value>): Promise<Transacted<Value>> => {
    const writer = await take();
    try {
      return await writer.transact(...asked);
    } finally {
      giveBack(writer);
    }
  };
  return {
    transact: <Value>(...asked: Asked<Value>): Promise<Transacted<Value>> => {
      const [, about] = asked;
      const names: ReadonlyArray<string> = about ?? ['everything'];
      const own = Promise.all(names.flatMap((name) => turns.get(name) ?? [])).then(() => write(...asked));
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
