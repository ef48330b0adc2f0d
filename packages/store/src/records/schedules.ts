import type { Schedule, ScheduleAction } from '../types/schedule.ts';
import { idOf, parseJson } from '../database/json.ts';
import type { ScheduleRow } from '../database/queue-rows.ts';
import type { Reader, Tx } from '../database/store.ts';

export async function saveSchedule(tx: Tx, schedule: Schedule): Promise<void> {
  const { id, ...columns } = toRow(schedule);
  await tx
    .insertInto('schedules')
    .values({ id, ...columns })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

export async function findSchedule(db: Reader, id: string): Promise<Schedule | null> {
  const row = await db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

export async function listSchedules(
  db: Reader,
  filter: { readonly projectId?: string },
): Promise<ReadonlyArray<Schedule>> {
  let query = db.selectFrom('schedules').selectAll();
  if (filter.projectId !== undefined) query = query.where('project_id', '=', filter.projectId);
  return (await query.orderBy('id').execute()).map(fromRow);
}

export async function listDueSchedules(db: Reader, at: string): Promise<ReadonlyArray<Schedule>> {
  const rows = await db
    .selectFrom('schedules')
    .selectAll()
    .where('enabled', '=', 1)
    .where('next_at', '<=', at)
    .orderBy('next_at')
    .limit(50)
    .execute();
  return rows.map(fromRow);
}

export async function deleteSchedule(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('schedules').where('id', '=', id).execute();
}

function toRow(schedule: Schedule): ScheduleRow {
  return {
    id: schedule.id,
    project_id: schedule.projectId,
    name: schedule.name,
    cron: schedule.cron,
    time_zone: schedule.timeZone,
    enabled: schedule.isEnabled ? 1 : 0,
    action: JSON.stringify(schedule.action),
    next_at: schedule.nextAt,
    last_at: schedule.lastAt,
    last_result: schedule.lastResult,
    created_at: schedule.createdAt,
  };
}

function fromRow(row: ScheduleRow): Schedule {
  return {
    id: idOf('sch', row.id),
    projectId: row.project_id,
    name: row.name,
    cron: row.cron,
    timeZone: row.time_zone,
    isEnabled: row.enabled === 1,
    action: parseJson<ScheduleAction>(row.action, { kind: 'move', taskId: '', to: '' }),
    nextAt: row.next_at,
    lastAt: row.last_at,
    lastResult: row.last_result,
    createdAt: row.created_at,
  };
}
