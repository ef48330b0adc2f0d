import { setImmediate as breathe } from 'node:timers/promises';
import type { CompiledQuery } from 'kysely';
import { isUnreachable } from './postgres-failure.ts';
import type { Asked, Transacted } from './postgres-writer.ts';
import { rowsInOne } from './rows-in-one.ts';
import type { Subjects } from './subjects.ts';
import type { Written } from './written.ts';

type Carried = { readonly about: Subjects; readonly writes: ReadonlyArray<CompiledQuery> };
type Waiting = Carried & PromiseWithResolvers<Written | null | 'alone'>;

/** A list of locks and of statements that a server reads at once. */
const MOST = 64;

/**
 * Transactions that ask nothing share one: what comes while one is under way waits for the next. What one of them fails for is not the
 * others' business, and nobody waits long for a lock that somebody keeps from one of them: then each is told to go `alone`.
 */
export function carryTogether(write: (asked: Asked<void>) => Promise<Transacted<void>>) {
  const waiting: Waiting[] = [];
  let isUnderWay = false;
  const carry = async (all: ReadonlyArray<Waiting>): Promise<void> => {
    try {
      const { written } = await write({
        work: async (tx) => {
          for (const query of rowsInOne(all.map(({ writes }) => writes))) await tx.executeQuery(query);
        },
        about: all.flatMap(({ about }) => about),
        first: NOTHING,
        isHasty: true,
      });
      // What was written is told once.
      for (const [at, { resolve }] of all.entries()) resolve(at === 0 ? written : null);
    } catch (error) {
      for (const { resolve, reject } of all)
        if (isUnreachable(error)) reject(error);
        else resolve('alone');
    }
  };
  const carryAll = async (): Promise<void> => {
    isUnderWay = true;
    while (waiting.length > 0) {
      // Whoever was answered just now often has more.
      await breathe();
      await carry(waiting.splice(0, MOST));
    }
    isUnderWay = false;
  };
  return (carried: Carried): Promise<Written | null | 'alone'> => {
    const own = { ...carried, ...Promise.withResolvers<Written | null | 'alone'>() };
    waiting.push(own);
    if (!isUnderWay) void carryAll();
    return own.promise;
  };
}

/** The beginning goes out with the end. */
const NOTHING = async (): Promise<void> => undefined;
