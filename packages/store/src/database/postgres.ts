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
import { openWriter } from './postgres-writer.ts';
import type { Schema } from './schema.ts';
import type { Store } from './store.ts';

export type PostgresLocation = {
  readonly databaseUrl: string;
  /** Connections for reading; one more writes, one more listens. Default 4. */
  readonly readers?: number;
  /** How long a command waits for a database that restarts before it is refused. Default 15 s. */
  readonly patienceMs?: number;
  /** How long a query may bring nothing before the server is asked whether its connection is alive. Default 1 s. */
  readonly silenceMs?: number;
};

/**
 * A store on a PostgreSQL server that several processes and machines share. Transactions of all of them run one after another (one advisory
 * lock), as in SQLite: `seq` is then the order of commits, and a reader that asks for more after a number misses nothing. A broken
 * connection is replaced; a transaction that was cut off is looked up, and repeated only if it did not take place.
 */
export async function openPostgres(location: PostgresLocation): Promise<Result<Store>> {
  const config = connectionConfig(location);
  if (config === null)
    return refuse('database', 'The address of the database is not valid: expected postgres://USER@HOST:PORT/NAME.');
  const patienceMs = location.patienceMs ?? 15_000;
  try {
    const migrated = await migrateServer(config);
    if (!migrated.ok) return migrated;
  } catch (error) {
    if (postgresFailure(error) === null) throw error;
    return refuse('database', explainPostgres(location.databaseUrl, error));
  }
  return done(connect(config, { patienceMs, readers: location.readers ?? 4, silenceMs: location.silenceMs ?? 1_000 }));
}

const INT8 = 20;

/** 8-byte integers are read as numbers: ours count rows and milliseconds and stay far below 2^53. */
const types: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === INT8 ? Number : pg.types.getTypeParser(id, format === 'binary' ? 'binary' : 'text'),
};

/**
 * A frozen client loses its transaction after `idle_in_transaction_session_timeout`, so it can't block everyone else. Nobody waits longer
 * than `lock_timeout` for its turn without asking again. `watchConnections` finds dead connections; `query_timeout` only covers what it can't
 * know, such as a server that was replaced by another.
 */
function connectionConfig({ databaseUrl }: PostgresLocation): pg.ClientConfig | null {
  if (!/^postgres(ql)?:\/\//.test(databaseUrl) || !URL.canParse(databaseUrl)) return null;
  return {
    connectionString: databaseUrl,
    application_name: 'attractor',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    query_timeout: 60_000,
    lock_timeout: 15_000,
    idle_in_transaction_session_timeout: 10_000,
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
async function connectWhenStarted(config: pg.ClientConfig): Promise<pg.Client> {
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

type Bounds = { readonly patienceMs: number; readonly readers: number; readonly silenceMs: number };

function connect(config: pg.ClientConfig, bounds: Bounds): Store {
  const lines = watchConnections(config, bounds.silenceMs);
  const ofPool = { ...config, ...lines.ofPool };
  const readPool = quietPool({ ...ofPool, max: bounds.readers });
  const writer = openWriter(quietPool({ ...ofPool, max: 1 }), bounds.patienceMs);
  const read = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: patientReads(readPool, bounds) }) });
  const changes = createChanges();
  const { heard, settled, ...live } = postgresLiveChannel(read);
  const listener = listenForChanges(config, { changes, read, heard });
  let last: Promise<unknown> = Promise.resolve();
  return {
    dialect: 'postgres',
    read,
    transact: (work) => {
      const own = last.then(() => writer.transact(work));
      last = own.then(changes.tell, () => undefined);
      return own;
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
      await last;
      await settled();
      await listener.stop();
      await lines.stop(Promise.all([writer.close(), readPool.end()]));
    },
  };
}

/** A connection that breaks fails its query, and an idle one is replaced; there is nothing more to report. */
function quietPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config).on('error', () => undefined);
  return pool.on('connect', (client) => void client.on('error', () => undefined));
}

/** Each read is independent: one that a restart cut off is repeated on another connection. */
function patientReads(pool: pg.Pool, { patienceMs }: Bounds): PostgresPool {
  function query<Row>(text: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query<Row>(
    asked: string | PostgresCursor<Row>,
    parameters: ReadonlyArray<unknown> = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof asked !== 'string') throw new TypeError('Reads are not streamed');
    return patiently(async () => {
      const { rows, rowCount } = await pool.query(asked, [...parameters]);
      return { command: 'SELECT' as const, rowCount: rowCount ?? 0, rows };
    }, patienceMs);
  }
  const client = { query, release: () => undefined };
  return { connect: async () => client, end: () => pool.end(), options: {} };
}
