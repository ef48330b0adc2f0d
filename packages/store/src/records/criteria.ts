import {
  type Criterion,
  type CriterionClaim,
  type CriterionMark,
  isMet,
  standingOf,
  type Task,
} from '../types/index.ts';
import { parseJson } from '../database/json.ts';
import type { CriterionRow } from '../database/outcome-rows.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';

type OfTask = Pick<Task, 'id' | 'acceptanceCriteria'>;

/** The criteria of a task in the order in which they are written, each with its number and how it stands. */
export async function listCriteria(db: Reader, { id, acceptanceCriteria }: OfTask): Promise<ReadonlyArray<Criterion>> {
  if (acceptanceCriteria.length === 0) return [];
  const rows = await db.selectFrom('task_criteria').selectAll().where('task_id', '=', id).orderBy('number').execute();
  return numbered(rows, { acceptanceCriteria }).map(({ row, text, met }) => {
    const mark = parseJson<CriterionMark | null>(row.mark, null);
    const claim = parseJson<CriterionClaim | null>(row.claim, null);
    return { number: row.number, text, ...standingOf({ mark, claim, met }), mark, claim };
  });
}

/**
 * After the list was changed from `before`: what is still there keeps its number and what is known of it, what is new gets a new number. If
 * the list is as long as before, what was reworded keeps its number, but nothing else.
 */
export async function syncCriteria(tx: Tx, before: OfTask['acceptanceCriteria'], task: OfTask): Promise<void> {
  const kept = await tx.selectFrom('task_criteria').selectAll().where('task_id', '=', task.id).execute();
  const known = kept.length > 0 ? kept : numbered([], { acceptanceCriteria: before }).map(({ row }) => row);
  const next = numbered(known, task, before.length === task.acceptanceCriteria.length ? 'reworded' : 'new');
  await tx.deleteFrom('task_criteria').where('task_id', '=', task.id).execute();
  const live = next.map(({ row }) => ({ ...row, task_id: task.id }));
  const numbers = new Set(live.map(({ number }) => number));
  const gone = known
    .filter(({ number }) => !numbers.has(number))
    .map((row) => ({ ...row, task_id: task.id, removed_at: row.removed_at ?? transactionTime(tx) }));
  const rows = [...live, ...gone];
  if (rows.length > 0) await tx.insertInto('task_criteria').values(rows).execute();
}

/** What was found out about criteria, by their numbers, or decided by a person. */
export async function recordCriteria(
  tx: Tx,
  taskId: string,
  found: ReadonlyMap<number, { readonly claim?: CriterionClaim | null; readonly mark?: CriterionMark | null }>,
): Promise<void> {
  for (const [number, { claim, mark }] of found)
    await tx
      .updateTable('task_criteria')
      .set({
        ...(claim === undefined ? {} : { claim: claim === null ? null : JSON.stringify(claim) }),
        ...(mark === undefined ? {} : { mark: mark === null ? null : JSON.stringify(mark) }),
      })
      .where('task_id', '=', taskId)
      .where('number', '=', number)
      .execute();
}

/** The list of a task with what counts as met now. */
export async function metCriteria(db: Reader, task: OfTask): Promise<Task['acceptanceCriteria']> {
  return (await listCriteria(db, task)).map((one) => ({ text: one.text, met: isMet(one) }));
}

type Placed = { readonly row: CriterionRow; readonly text: string; readonly met: boolean };

/** Each criterion with its row: the first with the same words that is free, else a new one. */
function numbered(
  rows: ReadonlyArray<CriterionRow>,
  { acceptanceCriteria }: Pick<Task, 'acceptanceCriteria'>,
  otherwise: 'reworded' | 'new' = 'new',
): ReadonlyArray<Placed> {
  const free = rows.filter(({ removed_at }) => removed_at === null).toSorted((a, b) => a.number - b.number);
  const take = (fits: (row: CriterionRow) => boolean): CriterionRow | undefined => {
    const at = free.findIndex(fits);
    return at < 0 ? undefined : free.splice(at, 1)[0];
  };
  const same = acceptanceCriteria.map(({ text }) => take(({ body }) => body === text));
  let last = Math.max(0, ...rows.map(({ number }) => number));
  return acceptanceCriteria.map(({ text, met }, at) => {
    const reworded = same[at] === undefined && otherwise === 'reworded' ? take(() => true) : undefined;
    const row = same[at] ?? blank(reworded?.number ?? (last += 1), text);
    return { row, text, met };
  });
}

function blank(number: number, body: string): CriterionRow {
  return { task_id: '', number, body, mark: null, claim: null, removed_at: null };
}
