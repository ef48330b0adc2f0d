import { done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { judgeStatus } from '@attractor/pipeline';
import { nextTime } from './cron-time.ts';
import {
  type Actor,
  appendEvents,
  deleteSchedule as removeSchedule,
  findProject,
  findSchedule,
  type Project,
  type Reader,
  refuse,
  type Result,
  saveSchedule as writeSchedule,
  type Schedule,
  type ScheduleAction,
  type Store,
  transactionTime,
} from '@attractor/store';
import { choosePipeline, fillIn, findTaskAndPipeline } from '../tasks/tasks.ts';
import type { NewSchedule } from './contract.ts';

/** A changed schedule is next due by its new cron line, counted from now. */
export function saveSchedule(store: Store, input: NewSchedule, actor: Actor): Promise<Result<Schedule>> {
  return store.transact(async (tx) => {
    const known = input.id === undefined ? null : await findSchedule(tx, input.id);
    if (input.id !== undefined && known === null)
      return refuse('not_found', `There is no schedule ${input.id}: see "attractor schedules list".`);
    const name = input.name.trim();
    if (name === '') return refuse('invalid', 'A schedule needs a name.');
    const project = await findProject(tx, input.projectId);
    if (project === null) return refuse('not_found', `There is no project ${input.projectId}.`);
    const isEnabled = input.isEnabled ?? known?.isEnabled ?? true;
    // A schedule that no longer works can still be switched off.
    const judged = isEnabled ? await judgeAction(tx, project, input.action) : done(null);
    if (!judged.ok) return judged;
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
      isEnabled,
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

/** What is certain to fail is refused now, not at three in the morning. */
async function judgeAction(db: Reader, project: Project, action: ScheduleAction): Promise<Result<unknown>> {
  if (action.kind === 'create') {
    const wanted = await fillIn(db, { ...action.task, projectId: project.id });
    if (!wanted.ok) return wanted;
    const pipeline = await choosePipeline(db, project, wanted.value);
    if (!pipeline.ok || action.to === undefined) return pipeline;
    return judgeStatus(pipeline.value, action.to) ?? pipeline;
  }
  const found = await findTaskAndPipeline(db, action.taskId);
  if (!found.ok || found.value.task.projectId !== project.id)
    return refuse('not_found', `There is no task ${action.taskId} in this project.`);
  return (action.kind === 'move' ? judgeStatus(found.value.pipeline, action.to) : null) ?? found;
}

export function deleteSchedule(store: Store, id: string, actor: Actor): Promise<Result<null>> {
  return store.transact(async (tx) => {
    const schedule = await findSchedule(tx, id);
    if (schedule === null) return refuse('not_found', `There is no schedule ${id}: see "attractor schedules list".`);
    await removeSchedule(tx, id);
    const summary = `Schedule ${schedule.name} deleted`;
    await appendEvents(tx, [
      { projectId: schedule.projectId, type: 'schedule.deleted', summary, data: { scheduleId: id }, actor },
    ]);
    return done(null);
  });
}
