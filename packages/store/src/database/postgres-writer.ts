import { randomUUID } from 'node:crypto';
import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import type pg from 'pg';
import { isRefusal } from '../types/refusal.ts';
import { postgresFailure } from './postgres-failure.ts';
import { patiently } from './postgres-patience.ts';
import type { Schema } from './schema.ts';
import type { Tx } from './store.ts';
import { setTransactionTime } from './transaction-time.ts';

type Work<Value> = (tx: Tx) => Promise<Value>;

/**
 * The one connection of this process that writes. Transactions of all processes run one after another (one advisory lock). An error thrown
 * by `work` itself is never retried; only a lost database is, and only if the transaction did not take place.
 */
export function openWriter(pool: pg.Pool, patienceMs: number) {
  const id = randomUUID();
  const opening = beginsAlone(pool, id);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: opening.pool }) });
  const transact = <Value>(work: Work<Value>): Promise<Value> => {
    let cutOff: { readonly mark: string; readonly value: Value } | null = null;
    return patiently(async () => {
      const tx = await db.startTransaction().execute();
      try {
        const begun = opening.begun();
        if (cutOff !== null && begun.before === cutOff.mark) {
          await tx.rollback().execute();
          return cutOff.value;
        }
        cutOff = null;
        setTransactionTime(tx, { at: begun.at, now: begun.at.getTime() });
        const value = await work(tx);
        if (isRefusal(value)) {
          await tx.rollback().execute();
          return value;
        }
        cutOff = { mark: begun.mark, value };
        await tx.commit().execute();
        return value;
      } catch (error) {
        await tx
          .rollback()
          .execute()
          .catch(() => undefined);
        throw error;
      }
    }, patienceMs);
  };
  const close = async (): Promise<void> => {
    await pool.query('delete from writers where id = $1', [id]).catch(() => undefined);
    await pool.end();
  };
  return { transact, close };
}

const WRITER_LOCK = 4_127_001;

/** The mark that this transaction leaves for its writer, the previous one, and the server's time. */
type Begun = { readonly mark: string; readonly before: string | null; readonly at: Date };

/**
 * A pool whose `begin` also takes the lock, leaves a mark, reads the time and hints at the change (delivered when the transaction commits):
 * one round trip instead of three, for which everybody else has to wait. If a connection breaks during a commit, the next transaction,
 * which has to wait for the lock, sees by the mark whether it took place. (The server's own transaction ids do not tell: after a crash one
 * may be reused.)
 */
function beginsAlone(pool: pg.Pool, writerId: string): { readonly pool: PostgresPool; readonly begun: () => Begun } {
  let last: Begun | null = null;
  const begin = async (client: pg.PoolClient): Promise<void> => {
    const mark = randomUUID();
    try {
      last = { mark, ...readOpening(await client.query(openingText(writerId, mark))) };
    } catch (error) {
      // What follows `begin` failed: the connection must not stay in a transaction that nobody knows of.
      if (postgresFailure(error) !== 'unreachable') await client.query('rollback').catch(() => undefined);
      throw error;
    }
  };
  return {
    begun: () => {
      if (last === null) throw new Error('No transaction was begun');
      return last;
    },
    pool: { connect: async () => beginningWith(await pool.connect(), begin), end: () => pool.end(), options: {} },
  };
}

/** Several statements in one message take no parameters; both texts are numbers that we made. */
function openingText(writerId: string, mark: string): string {
  return `begin;
    select pg_advisory_xact_lock(${WRITER_LOCK});
    with marked as (
      insert into writers (id, mark, at) values ('${writerId}', '${mark}', now()::text)
      on conflict (id) do update set mark = excluded.mark, at = excluded.at)
    select (select mark from writers where id = '${writerId}') as before, clock_timestamp() as at,
      pg_notify('attractor_changed', '')`;
}

/** The client returns a list of results if several statements were sent. */
function readOpening(answer: unknown): Omit<Begun, 'mark'> {
  const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer;
  const row: unknown = typeof last === 'object' && last !== null && 'rows' in last ? [last.rows].flat()[0] : null;
  if (typeof row === 'object' && row !== null && 'before' in row && 'at' in row && row.at instanceof Date)
    return { before: typeof row.before === 'string' ? row.before : null, at: row.at };
  throw new Error('The database did not tell its time');
}

const BEGUN = { command: 'SELECT', rowCount: 0, rows: [] };
const COMMANDS = ['UPDATE', 'DELETE', 'INSERT', 'MERGE', 'COMMIT', 'ROLLBACK'] as const;

function beginningWith(client: pg.PoolClient, begin: (client: pg.PoolClient) => Promise<void>): PostgresPoolClient {
  let isDead = false;
  const send = async <Row>(text: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<Row>> => {
    // Nothing more is sent over a dead connection, not even a rollback: it is discarded.
    if (isDead) throw new Error('Connection terminated');
    try {
      if (text === 'begin') await begin(client);
      const { command, rowCount, rows } = text === 'begin' ? BEGUN : await client.query(text, [...parameters]);
      return { command: COMMANDS.find((name) => name === command) ?? 'SELECT', rowCount: rowCount ?? 0, rows };
    } catch (error) {
      isDead = postgresFailure(error) === 'unreachable';
      throw error;
    }
  };
  function query<Row>(text: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query<Row>(
    asked: string | PostgresCursor<Row>,
    parameters: ReadonlyArray<unknown> = [],
  ): Promise<PostgresQueryResult<Row>> | PostgresCursor<Row> {
    if (typeof asked !== 'string') throw new TypeError('Nothing is streamed in a transaction');
    return send(asked, parameters);
  }
  return { query, release: (destroy) => client.release(destroy === true || isDead) };
}
