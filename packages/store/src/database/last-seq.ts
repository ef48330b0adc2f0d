import { settledSeq } from './settled-seq.ts';
import type { Reader } from './store.ts';

/** The number of the newest event that a reader of all events may go to. */
export async function lastSeq(db: Reader): Promise<number> {
  const settled = await settledSeq(db);
  const newest = db.selectFrom('events').select((select) => select.fn.max('seq').as('seq'));
  const row = await (settled === null ? newest : newest.where('seq', '<=', settled)).executeTakeFirst();
  return row?.seq ?? 0;
}
