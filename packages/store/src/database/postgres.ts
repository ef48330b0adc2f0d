import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, type PostgresCursor, PostgresDialect, type PostgresPool, type PostgresQueryResult, sql } from 'kysely';
import pg from 'pg';
import { done } from '@attractor/base';
import { refuse, type Result } from '../types/refusal.ts';
import { createChanges } from './changes.ts';
import { migrate } from './migrate.ts';
import { MIGRATIONS } from './migrations/index.ts';
import { postgresMigrator } from './postgres-migrator.ts';
import { explainPostgres, postgresFailure } from './postgres-failure.ts';
import { watchConnections } from './postgres-connections.ts';
import { postgresLiveChannel } from './live-channel.ts';
import { listenForChanges } from './postgres-listener.ts';
import { patiently } from './postgres-patience.ts';
import { createStatementNames, type StatementNames } from './prepared-statements.ts';
import { openWriter } from './postgres-writer.ts';
import { openWriters } from './postgres-writers.ts';
import type { Schema } from './schema.ts';
import { setSharedLog } from './settled-seq.ts';
import type { Store } from './store.ts';
import { bothWritten, type Written, writtenText } from './written.ts';

export type PostgresLocation = {
  readonly databaseUrl: string;
  /** Connections for reading; one more listens. Default 4. */
  readonly readers?: number;
  /** Transactions at once; a connection that is not needed is closed after 10 s. Default 4. */
  readonly writers?: number;
  /** How long a command waits for a database that restarts before it is refused. Default 15 s. */
  readonly patienceMs?: number;
  /** How long a query may bring nothing before the server is asked whether its connection is alive. Default 1 s. */
  readonly silenceMs?: number;
};

/**
 * A store on a PostgreSQL server that several processes and machines share. Transactions about different tasks run side by side; a reader
 * that asks for more after a number still misses nothing (`settledSeq`). A broken connection is replaced; a transaction that was cut off is
 * looked up, and repeated only if it did not take place.
 */
export async function openPostgres(location: PostgresLocation): Promise<Result<Store>> {
  const config = connectionConfig(location);
  if (config === null) return NO_ADDRESS;
  const patienceMs = location.patienceMs ?? 15_000;
  try {
    const migrated = await migrateServer(config);
    if (!migrated.ok) return migrated;
  } catch (error) {
    if (postgresFailure(error) === null) throw error;
    return refuse('database', explainPostgres(location.databaseUrl, error));
  }
  const { readers = 4, writers = 4, silenceMs = 1_000 } = location;
  return done(connect(config, { patienceMs, readers, writers, silenceMs }));
}

export const NO_ADDRESS = refuse(
  'database',
  'The address of the database is not valid: expected postgres://USER@HOST:PORT/NAME.',
);

const INT8 = 20;

/** 8-byte integers are read as numbers: ours count rows and milliseconds and stay far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === INT8 ? Number : pg.types.getTypeParser(id, format === 'binary' ? 'binary' : 'text'),
};

/**
 * A frozen client loses its transaction after `idle_in_transaction_session_timeout`: until then whatever is about the same has to wait, and
 * readers of all events. Nobody waits longer than `lock_timeout` for its turn without asking again. `watchConnections` finds dead connections; `query_timeout` only covers what it can't
 * know, such as a server that was replaced by another.
 */
export function connectionConfig({ databaseUrl }: PostgresLocation): pg.ClientConfig | null {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl) || !URL.canParse(databaseUrl)) return null;
  return {
    connectionString: databaseUrl,
    application_name: 'attractor',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: 60_000,
    lock_timeout: 15_000,
    idle_in_transaction_session_timeout: 5_000,
    types,
  };
}

async function migrateServer(config: pg.ClientConfig): Promise<Result<ReadonlyArray<string>>> {
  // A change of the schema takes as long as its rows need.
  const client = await connectWhenStarted({ ...config, query_timeout: 0, lock_timeout: 0 });
  try {
    return await migrate(postgresMigrator(client), MIGRATIONS);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** A server that is starting says so; a missing one is reported at once. */
export async function connectWhenStarted(config: pg.ClientConfig): Promise<pg.Client> {
  for (let attempt = 1; ; attempt += 1) {
    const client = new pg.Client(config);
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (attempt >= 40 || postgresFailure(error) !== 'starting') throw error;
      await sleep(250);
    }
  }
}

/** Statements are sent without waiting for the answer to the one before. The library's types omit it. */
const PIPELINED: object = { pipeline: true };

type Bounds = Readonly<Record<'patienceMs' | 'readers' | 'writers' | 'silenceMs', number>>;

function connect(config: pg.ClientConfig, bounds: Bounds): Store {
  const lines = watchConnections(config, bounds.silenceMs);
  const ofPool = { ...config, ...lines.ofPool };
  const readPool = quietPool({ ...ofPool, max: bounds.readers });
  const statements = createStatementNames();
  const { patienceMs } = bounds;
  const writers = openWriters(
    () => openWriter(quietPool({ ...ofPool, ...PIPELINED, max: 1 }), { patienceMs, statements }),
    bounds.writers,
  );
  const pool = patientReads(readPool, { patienceMs, statements });
  const read = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  setSharedLog(read);
  const changes = createChanges();
  const { heard, settled, ...live } = postgresLiveChannel(read);
  const name = randomUUID();
  const listener = listenForChanges(config, { changes, read, heard, name });
  const others = announceChanges(read, name);
  return {
    dialect: 'postgres',
    read,
    transact: async (work, about, first, manner) => {
      const { value, written } = await writers.transact({ work, about, first }, manner);
      if (written !== null) {
        others.tell(written);
        changes.tell(written, 'us');
      }
      return value;
    },
    now: async () => {
      const { rows } = await sql<{
        ms: number;
      }>`select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`.execute(read);
      return rows[0]?.ms ?? 0;
    },
    onChange: changes.listen,
    live,
    close: async () => {
      await writers.settled();
      await others.settled();
      await settled();
      await listener.stop();
      await lines.stop(Promise.all([writers.close(), readPool.end()]));
    },
  };
}

/** Steps of runs commit in bunches: one telling serves them all. While they go on, each waits longer than the first. */
const BUNCH_MS = 40;
const LATER_BUNCH_MS = 100;

/**
 * Tells the other processes that something was committed. Not part of the transaction: there PostgreSQL lets all that tell commit one after
 * another. Changes that come shortly after each other are told together; one that gets lost is found by looking.
 */
function announceChanges(read: Kysely<Schema>, name: string) {
  let telling: Promise<void> | null = null;
  let due: Written | null = null;
  const tellAll = async (): Promise<void> => {
    for (let wait = BUNCH_MS; due !== null; wait = LATER_BUNCH_MS) {
      await sleep(wait);
      const text = writtenText(due, name);
      due = null;
      await sql`select pg_notify('attractor_changed', ${text})`.execute(read).catch(() => undefined);
    }
    telling = null;
  };
  return {
    tell: (written: Written): void => {
      due = due === null ? written : bothWritten(due, written);
      telling ??= tellAll();
    },
    settled: async (): Promise<void> => void (await telling),
  };
}

/** A connection that breaks fails its query, and an idle one is replaced; there is nothing more to report. */
function quietPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config).on('error', () => undefined);
  return pool.on('connect', (client) => void client.on('error', () => undefined));
}

type ReadOptions = { readonly patienceMs: number; readonly statements: StatementNames };

/** Each read is independent: one that a restart cut off is repeated on another connection. */
function patientReads(pool: pg.Pool, { patienceMs, statements }: ReadOptions): PostgresPool {
  function query<Row>(text: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query<Row>(
    asked: string | PostgresCursor<Row>,
    parameters: ReadonlyArray<unknown> = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof asked !== 'string') throw new TypeError('Reads are not streamed');
    return patiently(
      async () => {
        const { rows, rowCount } = await pool.query(statements.prepare(asked, parameters)).catch((error: unknown) => {
          statements.note(asked, error);
          throw error;
        });
        return { command: 'SELECT' as const, rowCount: rowCount ?? 0, rows };
      },
      { patienceMs },
    );
  }
  const client = { query, release: () => undefined };
  return { connect: async () => client, end: () => pool.end(), options: {} };
}
