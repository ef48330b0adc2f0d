import { sql, SqliteAdapter } from 'kysely';
import type { Reader } from '../database/store.ts';

/** More are no help: a page of tasks is found sooner by looking at them one after another. */
const MOST = 200;
/** The index knows sequences of three characters, and no text beyond a zero. */
const INDEXED = /^[^\0]{3,}$/u;

/**
 * The tasks that may have the text in their title or description, by an index: all that have it, and some that have it in other letters.
 * Null: it doesn't help, so all tasks have to be looked at. On PostgreSQL the query itself uses one.
 */
export async function tasksWithText(db: Reader, words: string): Promise<ReadonlyArray<string> | null> {
  const isOurs = db.getExecutor().adapter instanceof SqliteAdapter;
  if (!isOurs || !INDEXED.test(words)) return null;
  const phrase = `"${words.replaceAll('"', '""')}"`;
  const numbers = await sql<{ number: number }>`
    select rowid as number from task_texts where task_texts match ${phrase} limit ${sql.lit(MOST + 1)}`.execute(db);
  if (numbers.rows.length > MOST) return null;
  const found = numbers.rows.map(({ number }) => sql.lit(number));
  const { rows } = await sql<{ id: string }>`
    select task_id as id from task_text_ids where number in (${found.length === 0 ? sql`null` : sql.join(found)})`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
