import { done } from '@attractor/base';
import { parseJson, type Reader, refuseOnDatabaseError, type Result, type Store, type Tx } from '@attractor/store';
import type { LocalDay } from './local-days.ts';
import { type Span, type SpanSum, type SumsOf, sumSpans } from './day-sums.ts';

/** The days that are over are summed up once and kept; a change of what was used on one makes the database forget its sums. */
export type Books = Pick<Store, 'read' | 'transact'>;

/** Something was used two hours after the end of a day: nobody is likely to write to it any more. */
const SURELY_OVER = 8;

/** Summed up at once while all others wait. */
const DAYS_AT_ONCE = 31;

/** `lastSlot`: the last in which anything was used. */
export async function sumsOfDays(
  books: Books,
  days: ReadonlyArray<LocalDay>,
  { lastSlot, filter }: { readonly lastSlot: number; readonly filter: SumsOf },
): Promise<ReadonlyArray<ReadonlyArray<SpanSum>>> {
  const sums = filter.taskId === undefined ? await readKept(books.read, days, filter) : new Map<number, Sums>();
  const lacking = days.filter((day) => day.isWhole && day.to + SURELY_OVER <= lastSlot && !sums.has(day.from));
  if (filter.taskId === undefined && lacking.length > 0) {
    // Without room for them, sums are only not kept.
    for (const some of stretches(lacking)) await refuseOnDatabaseError(() => books.transact((tx) => keep(tx, some)));
    for (const [from, ofDay] of await readKept(books.read, lacking, filter)) sums.set(from, ofDay);
  }
  for (const some of stretches(days.filter(({ from }) => !sums.has(from))))
    for (const [index, ofDay] of (await sumSpans(books.read, some, filter)).entries())
      sums.set(some[index]?.from ?? 0, ofDay);
  return days.map(({ from }) => sums.get(from) ?? []);
}

type Sums = ReadonlyArray<SpanSum>;

/** Days that follow one another, together. */
function stretches(days: ReadonlyArray<LocalDay>): ReadonlyArray<ReadonlyArray<LocalDay>> {
  const all: LocalDay[][] = [];
  for (const day of days) {
    const last = all.at(-1);
    if (last === undefined || last.at(-1)?.to !== day.from || last.length === DAYS_AT_ONCE) all.push([day]);
    else last.push(day);
  }
  return all;
}

/** The project of a row that only says that a day is kept, whoever used something on it. */
const EVERY = '';

async function readKept(db: Reader, days: ReadonlyArray<Span>, { projectId }: SumsOf): Promise<Map<number, Sums>> {
  const ends = new Map(days.map(({ from, to }) => [from, to]));
  let query = db
    .selectFrom('spend_days')
    .selectAll()
    .where('from_slot', '>=', days[0]?.from ?? 0)
    .where('from_slot', '<=', days.at(-1)?.from ?? 0);
  if (projectId !== undefined) query = query.where('project_id', 'in', [EVERY, projectId]);
  const rows = (await query.execute()).filter(({ from_slot, to_slot }) => ends.get(from_slot) === to_slot);
  const kept = new Map<number, Sums>();
  for (const { project_id, from_slot } of rows) if (project_id === EVERY) kept.set(from_slot, []);
  for (const { project_id, from_slot, sums } of rows) {
    const ofDay = kept.get(from_slot);
    if (project_id !== EVERY && ofDay !== undefined)
      kept.set(from_slot, [
        ...ofDay,
        ...parseJson<ReadonlyArray<KeptSum>>(sums, []).map((sum) => toSum(project_id, sum)),
      ]);
  }
  return kept;
}

type KeptSum = Omit<SpanSum, 'projectId'>;

const keptOf = ({ agentType, model, runs, again, used }: SpanSum): KeptSum => ({ agentType, model, runs, again, used });
const toSum = (projectId: string, sum: KeptSum): SpanSum => ({ projectId, ...sum });

async function keep(tx: Tx, days: ReadonlyArray<Span>): Promise<Result<null>> {
  const sums = await sumSpans(tx, days);
  const rows = days.flatMap(({ from, to }, index) => {
    const byProject = Map.groupBy(sums[index] ?? [], ({ projectId }) => projectId);
    return [...byProject, [EVERY, []] as const].map(([project_id, ofProject]) => ({
      project_id,
      from_slot: from,
      to_slot: to,
      sums: JSON.stringify(ofProject.map(keptOf)),
    }));
  });
  for (const row of rows)
    await tx
      .insertInto('spend_days')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return done(null);
}
