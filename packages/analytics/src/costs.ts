import { sql } from 'kysely';
import { done } from '@attractor/base';
import { addAmounts, NOTHING, type Reader, type Result } from '@attractor/store';
import type { SpanSum } from './day-sums.ts';
import { type Books, sumsOfDays } from './kept-days.ts';
import { daysOf } from './local-days.ts';
import type { Costs, Spend, SpendFilter, SpendGroup } from './spend.ts';
import { readRange } from './spend-range.ts';
import { type Asked, costsByTask, dearestFirst, toSpend } from './task-costs.ts';

/**
 * What was spent, in total and by group; the groups add up to the total, to the last token and billionth of a dollar. Except by task it is
 * read from the sums of days: it costs what it tells, however many runs there were.
 */
export async function readCosts(books: Books, filter: SpendFilter, groupBy: SpendGroup): Promise<Result<Costs>> {
  const range = readRange(filter);
  if (!range.ok) return range;
  const asked = { filter, range: range.value };
  if (groupBy === 'task') return done(await costsByTask(books.read, asked));
  const { amounts, counts } = await findSums(books, asked);
  const begin = asked.range.from ?? 0;
  const beginOfGroup = groupBy === 'day' ? Infinity : begin;
  const keyOf = KEYS[groupBy];
  const counted = Map.groupBy(groupBy === 'model' ? amounts : counts, keyOf);
  const groups = [...Map.groupBy(amounts, keyOf)];
  const names = groupBy === 'project' ? await projectNames(books.read) : new Map<string, string>();
  const rows = groups.map(([key, ofKey]) => ({
    key,
    label: names.get(key) ?? (key === '' ? 'unknown' : key),
    runs: countRuns(counted.get(key) ?? [], beginOfGroup),
    ...spendOfSums(ofKey),
  }));
  return done({
    total: { ...spendOfSums(amounts), runs: countRuns(counts, begin) },
    rows: groupBy === 'day' ? rows : rows.toSorted(dearestFirst),
  });
}

type DatedSum = SpanSum & { readonly date: string };

const KEYS: Readonly<Record<Exclude<SpendGroup, 'task'>, (sum: DatedSum) => string>> = {
  project: ({ projectId }) => projectId,
  agent: ({ agentType }) => agentType,
  model: ({ model }) => model ?? '',
  day: ({ date }) => date,
};

/** In the order of their days. `counts` are the sums that count each run once, though it used several models. */
async function findSums(
  books: Books,
  { filter, range }: Asked,
): Promise<{ readonly amounts: ReadonlyArray<DatedSum>; readonly counts: ReadonlyArray<DatedSum> }> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select min(slot) from run_usage) as first, (select max(slot) from run_usage) as last`.execute(books.read);
  const { first = null, last = null } = rows[0] ?? {};
  if (first === null || last === null) return { amounts: [], counts: [] };
  const days = daysOf(range, { first, last });
  const sums = await sumsOfDays(books, days, { lastSlot: last, filter });
  const all = days
    .flatMap(({ date }, index) => (sums[index] ?? []).map((sum) => ({ ...sum, date })))
    .filter(({ agentType }) => filter.agentType === undefined || agentType === filter.agentType);
  const amounts = all.filter(({ model }) => model !== null && (filter.model === undefined || model === filter.model));
  return { amounts, counts: filter.model === undefined ? all.filter(({ model }) => model === null) : amounts };
}

/** Each once: who used something on an earlier day, since the slot `begin`, was counted there. */
function countRuns(sums: ReadonlyArray<SpanSum>, begin: number): number {
  let count = 0;
  for (const { runs, again } of sums) {
    count += runs;
    for (const [slot, those] of again) if (slot >= begin) count -= those;
  }
  return count;
}

function spendOfSums(sums: ReadonlyArray<SpanSum>): Spend {
  return toSpend(sums.reduce((sum, { used }) => addAmounts(sum, used), NOTHING));
}

async function projectNames(db: Reader): Promise<ReadonlyMap<string, string>> {
  const rows = await db.selectFrom('projects').select(['id', 'name']).execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
