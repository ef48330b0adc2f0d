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
import { isPassing, isUnreachable, postgresFailure } from './postgres-failure.ts';
import { patiently } from './postgres-patience.ts';
import type { StatementNames } from './prepared-statements.ts';
import type { Schema } from './schema.ts';
import { LOG_SEQUENCE, REGISTER } from './settled-seq.ts';
import type { Work } from './store.ts';
import { setSubjects, subjectsOf } from './held-subjects.ts';
import { inOrder, lockNumber, subjectKey, type Subjects } from './subjects.ts';
import { setTransactionTime } from './transaction-time.ts';
import { isUnasked } from './unasked.ts';
import { ANYTHING, createWriteNotes, type Written, writtenAbout } from './written.ts';

type WriterOptions = { readonly patienceMs: number; readonly statements: StatementNames };

/**
 * One connection that writes. A transaction first gets its subjects, or is alone, across processes (advisory locks). An error thrown by
 * `work` itself is never retried; only a lost database is, and only if the transaction did not take place.
 */
export function openWriter(pool: pg.Pool, { patienceMs, statements }: WriterOptions) {
  const id = randomUUID();
  const line = markedLine(pool, { writerId: id, statements });
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: line.pool }) });
  const transact = <Value>({ work, about, first, isHasty = false }: Asked<Value>): Promise<Transacted<Value>> => {
    let cutOff: { readonly mark: string; readonly value: Value } | null = null;
    return patiently(
      async () => {
        const isAgain = cutOff !== null;
        line.prepare({ about, isHasty, isAgain, isHeld: first !== undefined && !isAgain });
        const tx = await db.startTransaction().execute();
        try {
          if (about !== undefined) setSubjects(tx, about);
          if (!isAgain) await first?.(tx);
          const begun = line.begun();
          if (cutOff !== null && begun?.before === cutOff.mark) {
            await tx.rollback().execute();
            return { value: cutOff.value, written: ANYTHING };
          }
          cutOff = null;
          setTransactionTime(tx, begun === null ? NOT_ASKED : { at: begun.at, now: begun.at.getTime() });
          if (isAgain) await first?.(tx);
          const value = await work(tx);
          if (isRefusal(value)) {
            await tx.rollback().execute();
            return { value, written: null };
          }
          cutOff = { mark: line.mark(), value };
          await tx.commit().execute();
          return { value, written: line.hasWritten() ? writtenAbout(line.tables(), subjectsOf(tx)) : null };
        } catch (error) {
          await tx
            .rollback()
            .execute()
            .catch(() => undefined);
          throw error;
        }
      },
      { patienceMs, isWorthIt: isHasty ? isUnreachable : isPassing },
    );
  };
  const close = async (): Promise<void> => {
    if (line.isMarked()) await pool.query('delete from writers where id = $1', [id]).catch(() => undefined);
    await pool.end();
  };
  return { transact, close };
}

/** As `Store.transact`. `isHasty`: it fails rather than wait for a lock that somebody keeps. */
export type Asked<Value> = {
  readonly work: Work<Value>;
  readonly about?: Subjects | undefined;
  readonly first?: Work<void> | undefined;
  readonly isHasty?: boolean;
};

/** `written` is null if nothing was. */
export type Transacted<Value> = { readonly value: Value; readonly written: Written | null };
export type Writer = ReturnType<typeof openWriter>;

/** The mark that this writer left last, if it was asked for, and the server's time. */
type Begun = { readonly before: string | null; readonly at: Date };

/** The beginning goes out with the end: until then nobody knows the time. */
const NOT_ASKED = {
  get at(): Date {
    throw new Error('A transaction that asked nothing yet does not know its time');
  },
  get now(): number {
    return this.at.getTime();
  },
  isKnown: false as const,
};

/** `isAgain`: the one before was cut off. `isHeld`: the beginning waits for the first statement and goes out with it. */
type Opening = { readonly about?: Subjects | undefined } & Partial<
  Readonly<Record<'isAgain' | 'isHeld' | 'isHasty', boolean>>
>;

type LineOptions = { readonly writerId: string; readonly statements: StatementNames };

/**
 * A connection whose `begin` also takes the locks and reads the time, in one round trip, and whose `commit` leaves a mark if anything was
 * written. If it breaks during a commit, the next transaction of this writer, which waits until the earlier one is over, sees by the mark
 * whether that took place. (The server's own transaction ids do not tell: after a crash one may be reused.)
 */
function markedLine(pool: pg.Pool, { writerId, statements }: LineOptions) {
  const state = { opening: {} as Opening, mark: '', last: null as Begun | null, written: false, marked: false };
  const notes = createWriteNotes();
  const begin = async (client: pg.PoolClient): Promise<void> => {
    try {
      const answer = await client.query(openingText(writerId, state.opening));
      state.last = readOpening(answer);
    } catch (error) {
      // What follows `begin` failed: the connection must not stay in a transaction that nobody knows of.
      if (postgresFailure(error) !== 'unreachable') await client.query('rollback').catch(() => undefined);
      throw error;
    }
  };
  const commit = async (client: pg.PoolClient): Promise<void> => {
    state.marked ||= state.written;
    await client.query(state.written ? `${markText(writerId, state.mark)}; commit` : 'commit');
  };
  const note = (text: string): void => {
    if (isRead(text)) return;
    state.written = true;
    notes.note(text);
  };
  return {
    prepare: (opening: Opening): void => {
      state.opening = opening;
      state.mark = randomUUID();
      state.last = null;
      state.written = false;
      notes.begin();
    },
    /** The mark that this transaction leaves for its writer. */
    mark: () => state.mark,
    /** Null while the beginning waits for something that is asked. */
    begun: (): Begun | null => state.last,
    hasWritten: () => state.written,
    tables: notes.written,
    isMarked: () => state.marked,
    pool: {
      connect: async () =>
        withMarks(await pool.connect(), { begin, commit, note, statements, isHeld: state.opening.isHeld === true }),
      end: () => pool.end(),
      options: {},
    } satisfies PostgresPool,
  };
}

/** A row that is only held for the rest of the transaction is not written. */
function isRead(text: string): boolean {
  const asked = text.replace(/ for update(?: of "\w+")?(?: skip locked| nowait)?$/, '');
  return /^select\b/i.test(asked) && !/\b(insert|update|delete|nextval|setval|pg_notify)\b/i.test(asked);
}

/** Held by every transaction that has others beside it, together with all of them; one that is alone has it to itself. */
const EVERYTHING = 4_127_001;
const OF_WRITERS = 0x4156n;

/** How long one that carries others waits for a lock. */
const HASTE_MS = 50;

/** Several statements in one message take no parameters; all texts are numbers that we made. */
function openingText(writerId: string, { about, isAgain, isHasty }: Opening): string {
  const own = lockNumber(OF_WRITERS, BigInt(`0x${writerId.replaceAll('-', '').slice(0, 12)}`));
  const mark = isAgain ? `(select mark from writers where id = '${writerId}')` : 'null';
  const read = `${mark} as before, clock_timestamp() as at`;
  if (about === undefined)
    return `begin; select pg_advisory_xact_lock(${own}), pg_advisory_xact_lock(${subjectKey('everything')}); ${ALONE}; select ${read}`;
  const subjects = inOrder(about).map((subject) => `, pg_advisory_xact_lock(${subjectKey(subject)})`);
  const haste = isHasty ? `set local lock_timeout = ${HASTE_MS}; ` : '';
  return `begin; ${haste}select pg_advisory_xact_lock(${own}), pg_advisory_xact_lock_shared(${EVERYTHING})${subjects.join('')};
    select ${read}, ${REGISTER} from ${LOG_SEQUENCE}`;
}

/**
 * Waits until nothing else runs. Whoever comes meanwhile waits behind it, so now and then it lets them pass: a frozen transaction that it
 * can't get by must not hold up everybody else. It waits longer each time, as those who have begun may be slow.
 */
const ALONE = `do $$
declare patience integer := 100;
begin
  for attempt in 1..20 loop
    begin
      perform set_config('lock_timeout', patience || 'ms', true);
      perform pg_advisory_xact_lock(${EVERYTHING});
      perform set_config('lock_timeout', '15s', true);
      return;
    exception when lock_not_available then
      if attempt = 20 then raise; end if;
      perform pg_sleep(patience / 4000.0);
      patience := least(patience * 2, 800);
    end;
  end loop;
end $$`;

function markText(writerId: string, mark: string): string {
  return `insert into writers (id, mark, at) values ('${writerId}', '${mark}', now()::text)
    on conflict (id) do update set mark = excluded.mark, at = excluded.at`;
}

/** The client returns a list of results if several statements were sent. */
function readOpening(answer: unknown): Begun {
  const last: unknown = Array.isArray(answer) ? answer.at(-1) : answer;
  const row: unknown = typeof last === 'object' && last !== null && 'rows' in last ? [last.rows].flat()[0] : null;
  if (typeof row === 'object' && row !== null && 'before' in row && 'at' in row && row.at instanceof Date)
    return { before: typeof row.before === 'string' ? row.before : null, at: row.at };
  throw new Error('The database did not tell its time');
}

const OWN = { command: 'SELECT' as const, rowCount: 0, rows: [] };
const COMMANDS = ['UPDATE', 'DELETE', 'INSERT', 'MERGE', 'COMMIT', 'ROLLBACK'] as const;

type Marks = Readonly<Record<'begin' | 'commit', (client: pg.PoolClient) => Promise<void>>> & {
  readonly note: (text: string) => void;
  readonly statements: StatementNames;
  readonly isHeld: boolean;
};

/**
 * A write marked as `unasked` waits here for the next statement whose answer somebody wants, and goes out in one message with it: they are
 * answered in their order. The first that fails spoils the transaction, so all that follow fail too, the commit included.
 */
function withMarks(client: pg.PoolClient, { note, statements, isHeld, ...own }: Marks): PostgresPoolClient {
  let isDead = false;
  let held: Held[] = [];
  const fail = (text: string, error: unknown): void => {
    isDead ||= postgresFailure(error) === 'unreachable';
    statements.note(text, error);
  };
  const sendHeld = (): Promise<ReadonlyArray<Failed | null>> => {
    const sent = held.map(({ text, send }) => failureOf(text, send()));
    held = [];
    return Promise.all(sent);
  };
  const ask = async <Answer>(text: string, send: () => Promise<Answer>): Promise<Answer> => {
    const { stream } = client.connection;
    stream.cork();
    const before = sendHeld();
    const answer = send();
    // What else is asked in this moment goes out with it.
    process.nextTick(() => stream.uncork());
    const [failed, last] = await Promise.all([before, failureOf(text, answer)]);
    const first = failed.find((one) => one !== null) ?? last;
    if (first !== null) {
      fail(first.text, first.error);
      throw first.error;
    }
    return answer;
  };
  const send = async <Row>(text: string, parameters: ReadonlyArray<unknown>): Promise<PostgresQueryResult<Row>> => {
    // Nothing more is sent over a dead connection, not even a rollback: it is discarded.
    if (isDead) throw new Error('Connection terminated');
    if (isTakenBack(text)) held = [];
    if (text === 'begin' || text === 'commit') {
      const ownText = () => own[text](client);
      if (text === 'begin' && isHeld) held.push({ text, send: ownText });
      else await ask(text, ownText);
      return OWN;
    }
    note(text);
    const query = statements.prepare(text, parameters);
    if (isUnasked(text)) {
      held.push({ text, send: () => client.query(query) });
      return OWN;
    }
    const { command, rowCount, rows } = await ask(text, () => client.query(query));
    return { command: COMMANDS.find((name) => name === command) ?? 'SELECT', rowCount: rowCount ?? 0, rows };
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

type Held = { readonly text: string; readonly send: () => Promise<unknown> };
type Failed = { readonly text: string; readonly error: unknown };

/** Null: it succeeded. */
async function failureOf(text: string, answer: Promise<unknown>): Promise<Failed | null> {
  return answer.then(
    () => null,
    (error: unknown) => ({ text, error }),
  );
}

/** To a savepoint or to the beginning: what was held since then is not even sent, since a savepoint is a statement like any other. */
function isTakenBack(text: string): boolean {
  return text.startsWith('rollback');
}
