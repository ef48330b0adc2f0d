import type { Reader } from './store.ts';

/** The number of the newest event. */
export async function lastSeq(db: Reader): Promise<number> {
  const row = await db
    .selectFrom('events')
    .select((select) => select.fn.max('seq').as('seq'))
    .executeTakeFirst();
  return row?.seq ?? 0;
}
