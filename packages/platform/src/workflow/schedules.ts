import { newId } from '@attractor/agent';
import { nextTime } from '../queue/cron-time.ts';
import { done, refuse } from '../refusal.ts';
import { appendEvents } from '../store/events.ts';
import { findProject } from '../store/projects.ts';
import { deleteSchedule as removeSchedule, findSchedule, saveSchedule as writeSchedule } from '../store/schedules.ts';
import type { Reader, Store } from '../store/store.ts';
import { findTask } from '../store/tasks.ts';
import { transactionTime } from '../store/transaction-time.ts';
import type { Actor } from '../types/index.ts';
import type { Result } from '../workflow-contract.ts';
import type { NewSchedule, Schedule } from '../workflow-queue.ts';
import { judgeTaskFields } from './task-fields.ts';
import { resolveTemplate } from './templates.ts';

/** A changed schedule is next due by its new line, counted from now. */
export function saveSchedule(store: Store, input: NewSchedule, actor: Actor): Promise<Result<Schedule>> {
  return store.transact(async (tx) => {
    const known = input.id === undefined ? null : await findSchedule(tx, input.id);
    if (input.id !== undefined && known === null) return refuse('not_found', `There is no schedule ${input.id}.`);
    const name = input.name.trim();
    if (name === '') return refuse('invalid', 'A schedule needs a name.');
    if ((await findProject(tx, input.projectId)) === null)
      return refuse('not_found', `There is no project ${input.projectId}.`);
    const unfit = await judgeAction(tx, input);
    if (unfit !== null) return unfit;
    const now = transactionTime(tx);
    const timeZone = input.timeZone ?? known?.timeZone ?? 'UTC';
    const next = await nextTime({ cron: input.cron, timeZone }, now);
    if (!next.ok) return next;
    const schedule: Schedule = {
      id: known?.id ?? newId('sch'),
      projectId: input.projectId,
      name,
      cron: input.cron.trim(),
      timeZone,
      isEnabled: input.isEnabled ?? known?.isEnabled ?? true,
      action: input.action,
      nextAt: next.value,
      lastAt: known?.lastAt ?? null,
      lastResult: known?.lastResult ?? null,
      createdAt: known?.createdAt ?? now,
    };
    await writeSchedule(tx, schedule);
    const summary = `Schedule ${name} saved, next at ${schedule.nextAt}`;
    await appendEvents(tx, [
      { projectId: schedule.projectId, type: 'schedule.saved', summary, data: { schedule }, actor },
    ]);
    return done(schedule);
  });
}

/** What can be known to fail is refused now, not at three in the morning. */
async function judgeAction(db: Reader, { projectId, action }: NewSchedule) {
  if (action.kind === 'create') {
    const template = await resolveTemplate(db, action.task.template);
    if (!template.ok) return template;
    const title = action.task.title.trim() === '' ? (template.value.title ?? '') : action.task.title;
    return judgeTaskFields({ ...action.task, title });
  }
  const task = await findTask(db, action.taskId);
  return task === null || task.projectId !== projectId
    ? refuse('not_found', `There is no task ${action.taskId} in this project.`)
    : null;
}

export function deleteSchedule(store: Store, id: string, actor: Actor): Promise<Result<null>> {
  return store.transact(async (tx) => {
    const schedule = await findSchedule(tx, id);
    if (schedule === null) return refuse('not_found', `There is no schedule ${id}.`);
    await removeSchedule(tx, id);
    const summary = `Schedule ${schedule.name} deleted`;
    await appendEvents(tx, [
      { projectId: schedule.projectId, type: 'schedule.deleted', summary, data: { scheduleId: id }, actor },
    ]);
    return done(null);
  });
}
