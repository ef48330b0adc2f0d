import { type RawBuilder, sql } from 'kysely';
import { done } from '@attractor/base';
import { toUsd } from './money.ts';
import { amountOf, NOTHING, type Reader, type Result, usageSums, type UsedAmount } from '@attractor/store';
import type { Costs, Spend, SpendFilter, SpendGroup, SpendRow } from './spend.ts';
import { dateOfSlot, firstSlotOf, nextDate } from './local-day.ts';
import { readRange, type SlotRange } from './spend-range.ts';

/** What was spent, in total and by group; the groups add up to the total, to the last token and billionth of a dollar. */
export async function readCosts(db: Reader, filter: SpendFilter, groupBy: SpendGroup): Promise<Result<Costs>> {
  const range = readRange(filter);
  if (!range.ok) return range;
  const asked = { filter, range: range.value };
  const rows = groupBy === 'day' ? await byDay(db, asked) : await byColumn(db, asked, groupBy);
  return done({ total: await totalOf(db, asked), rows });
}

type Asked = { readonly filter: SpendFilter & { readonly runModel?: string }; readonly range: SlotRange };

const runCount = sql<number>`count(distinct run_usage.run_id)`;

/** What the runs that match the filter spent. `runModel` is the model that a run was started with; its subagents may have used others. */
export async function spendOf(db: Reader, asked: Asked): Promise<Spend> {
  const row = await matching(db, asked).select(usageSums).executeTakeFirst();
  return toSpend(row === undefined ? NOTHING : amountOf(row));
}

async function totalOf(db: Reader, asked: Asked): Promise<Costs['total']> {
  const row = await matching(db, asked).select(usageSums).select(runCount.as('runs')).executeTakeFirst();
  return { ...toSpend(row === undefined ? NOTHING : amountOf(row)), runs: row?.runs ?? 0 };
}

const COLUMNS = {
  project: 'runs.project_id',
  task: 'runs.task_id',
  agent: 'runs.agent_type',
  model: 'run_usage.model',
} as const;

async function byColumn(db: Reader, asked: Asked, by: keyof typeof COLUMNS): Promise<ReadonlyArray<SpendRow>> {
  const rows = await matching(db, asked)
    .select(sql<string>`${sql.ref(COLUMNS[by])}`.as('key'))
    .select(usageSums)
    .select(runCount.as('runs'))
    .groupBy(COLUMNS[by])
    .execute();
  const labels = await labelsOf(
    db,
    by,
    rows.map(({ key }) => key),
  );
  return rows
    .map((row) => ({
      key: row.key,
      label: labels.get(row.key) ?? (row.key === '' ? 'unknown' : row.key),
      runs: row.runs,
      ...toSpend(amountOf(row)),
    }))
    .toSorted((a, b) => b.knownCostUsd - a.knownCostUsd || (a.key < b.key ? -1 : 1));
}

const LABEL_BATCH = 500;

async function labelsOf(
  db: Reader,
  by: keyof typeof COLUMNS,
  keys: ReadonlyArray<string>,
): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>();
  if (by !== 'project' && by !== 'task') return labels;
  for (let start = 0; start < keys.length; start += LABEL_BATCH) {
    const ids = keys.slice(start, start + LABEL_BATCH);
    const rows =
      by === 'project'
        ? await db.selectFrom('projects').select(['id', 'name as label']).where('id', 'in', ids).execute()
        : (await db.selectFrom('tasks').select(['id', 'key', 'title']).where('id', 'in', ids).execute()).map(
            ({ id, key, title }) => ({ id, label: `${key} ${title}` }),
          );
    for (const { id, label } of rows) labels.set(id, label);
  }
  return labels;
}

/** The database knows no time zones, so it is told which slots make up which day. Every slot is looked at once, however many days there are. */
async function byDay(db: Reader, asked: Asked): Promise<ReadonlyArray<SpendRow>> {
  const bounds = await matching(db, asked)
    .select([sql<number | null>`min(run_usage.slot)`.as('first'), sql<number | null>`max(run_usage.slot)`.as('last')])
    .executeTakeFirst();
  const days = daysBetween(bounds?.first ?? null, bounds?.last ?? null, asked.range.timeZone);
  if (days.length === 0) return [];
  const day = dayOfSlot(days);
  const rows = await matching(db, asked)
    .select(day.as('day'))
    .select(usageSums)
    .select(runCount.as('runs'))
    .groupBy(day)
    .orderBy(day)
    .execute();
  return rows.flatMap((row) => {
    const date = days[row.day]?.date;
    return date === undefined ? [] : [{ key: date, label: date, runs: row.runs, ...toSpend(amountOf(row)) }];
  });
}

const SLOTS_A_DAY = 96;

/** The place in the list of the day to which a row's slot belongs. Days of the usual length in a row are one case. */
function dayOfSlot(days: ReadonlyArray<Day>): RawBuilder<number> {
  let start = { index: 0, from: 0 };
  const cases = days.flatMap(({ from, to }, index) => {
    const [before, next] = [days[index - 1], days[index + 1]];
    if (to - from !== SLOTS_A_DAY) return [sql`when run_usage.slot < ${sql.lit(to)} then ${sql.lit(index)}`];
    const isFirst = before === undefined || before.to - before.from !== SLOTS_A_DAY;
    if (isFirst) start = { index, from };
    if (next !== undefined && next.to - next.from === SLOTS_A_DAY) return [];
    const place = sql`${sql.lit(start.index)} + (run_usage.slot - ${sql.lit(start.from)}) / ${sql.lit(SLOTS_A_DAY)}`;
    return [sql`when run_usage.slot < ${sql.lit(to)} then ${place}`];
  });
  return sql<number>`case ${sql.join(cases, sql` `)} end`;
}

type Day = { readonly date: string; readonly from: number; readonly to: number };

function daysBetween(first: number | null, last: number | null, timeZone: string): ReadonlyArray<Day> {
  const days: Day[] = [];
  if (first === null || last === null) return days;
  const end = dateOfSlot(last, timeZone);
  for (let date = dateOfSlot(first, timeZone); date <= end; date = nextDate(date))
    days.push({ date, from: firstSlotOf(date, timeZone), to: firstSlotOf(nextDate(date), timeZone) });
  return days;
}

function matching(db: Reader, { filter, range }: Asked) {
  let query = db.selectFrom('run_usage').innerJoin('runs', 'runs.id', 'run_usage.run_id');
  if (filter.projectId !== undefined) query = query.where('runs.project_id', '=', filter.projectId);
  if (filter.taskId !== undefined) query = query.where('runs.task_id', '=', filter.taskId);
  if (filter.agentType !== undefined) query = query.where('runs.agent_type', '=', filter.agentType);
  if (filter.runModel !== undefined) query = query.where('runs.model', '=', filter.runModel);
  if (filter.model !== undefined) query = query.where('run_usage.model', '=', filter.model);
  if (range.from !== null) query = query.where('run_usage.slot', '>=', range.from);
  if (range.to !== null) query = query.where('run_usage.slot', '<', range.to);
  return query;
}

export function toSpend(used: UsedAmount): Spend {
  const { costNano, ...counts } = used;
  const knownCostUsd = toUsd(costNano);
  return { ...counts, knownCostUsd, costUsd: used.unpricedCalls > 0 ? null : knownCostUsd };
}
