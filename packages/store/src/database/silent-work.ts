import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  Transaction,
} from 'kysely';
import { setSubjects } from './held-subjects.ts';
import type { Schema } from './schema.ts';
import type { Asked } from './postgres-writer.ts';
import { setTransactionTime } from './transaction-time.ts';
import { isUnasked, setSilent } from './unasked.ts';

/** What a transaction writes that asks nothing, and what its work returned. */
export type Silent<Value> = { readonly value: Value; readonly writes: ReadonlyArray<CompiledQuery> };

/** It wanted an answer, or the time, and needs a connection of its own. */
class Asks extends Error {
  override readonly name = 'Asks';
}

/**
 * Does work without a database as far as that goes: what nobody asks an answer to (`asUnasked`) is collected. Null: it asks something, and
 * nothing of it took place.
 */
export async function hear<Value>({ work, first, about = [] }: Asked<Value>): Promise<Silent<Value> | null> {
  const writes: CompiledQuery[] = [];
  let hasAsked = false;
  const ask = (): never => {
    hasAsked = true;
    throw new Asks();
  };
  const connection: DatabaseConnection = {
    executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
      if (!isUnasked(query.sql)) ask();
      writes.push(query);
      return { rows: [] };
    },
    streamQuery: ask,
  };
  const executor = NOWHERE.getExecutor().withConnectionProvider({
    provideConnection: (consumer) => consumer(connection),
  });
  const tx = new Transaction<Schema>({ config: { dialect: DIALECT }, dialect: DIALECT, driver: DRIVER, executor });
  setSilent(tx);
  setSubjects(tx, about);
  setTransactionTime(tx, {
    get at() {
      return ask();
    },
    get now() {
      return ask();
    },
    isKnown: false,
  });
  try {
    await first?.(tx);
    const value = await work(tx);
    return hasAsked ? null : { value, writes };
  } catch (error) {
    // Whoever swallowed it, or made another error of it, is heard again with a connection.
    if (hasAsked) return null;
    throw error;
  }
}

const DRIVER = new DummyDriver();
const DIALECT: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => DRIVER,
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};
const NOWHERE = new Kysely<Schema>({ dialect: DIALECT });
