import {
  type Actor,
  appendEvents,
  findSchedule,
  joinStore,
  listDueSchedules,
  nested,
  type Result,
  saveSchedule,
  type Schedule,
  type Store,
  transactionTime,
  type Tx,
} from '@attractor/store';
import { startAgent } from '../runs/runs.ts';
import { createTask, transitionTask } from '../tasks/tasks.ts';
import { nextTime } from './cron-time.ts';

const LOOK_MS = 1_000;

/** Fires due schedules until `stop`. Any number of processes may do so on one database. */
export function startSchedules(options: {
  readonly store: Store;
  readonly defaultAgentType: string;
  readonly onUnexpected: (error: unknown) => void;
}): { readonly stop: () => Promise<void> } {
  let looking: Promise<unknown> | null = null;
  const look = (): void => {
    looking ??= fireDue(options.store, options.defaultAgentType)
      .catch(options.onUnexpected)
      .finally(() => {
        looking = null;
      });
  };
  const timer = setInterval(look, LOOK_MS);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}

/** Returns how many were fired. Each is one transaction: the schedule's time moves on, and the work exists or the log says why not. */
export async function fireDue(store: Store, defaultAgentType: string): Promise<number> {
  const at = store.dialect === 'postgres' ? new Date(await store.now()) : new Date();
  let fired = 0;
  for (const { id } of await listDueSchedules(store.read, at.toISOString()))
    if (await store.transact((tx) => fireOne(store, tx, { id, defaultAgentType }))) fired += 1;
  return fired;
}

async function fireOne(
  store: Store,
  tx: Tx,
  { id, defaultAgentType }: { readonly id: string; readonly defaultAgentType: string },
): Promise<boolean> {
  const schedule = await findSchedule(tx, id);
  const now = transactionTime(tx);
  if (schedule === null || !schedule.isEnabled || schedule.nextAt > now) return false;
  const next = await nextTime(schedule, now);
  const by = { actor: { type: 'system', name: `schedule ${schedule.name}` }, defaultAgentType } as const;
  const done = await nested(tx, () => carryOut(joinStore(store, tx), schedule, by));
  const fired: Schedule = {
    ...schedule,
    lastAt: now,
    lastResult: done.ok ? done.value : done.error.message,
    nextAt: next.ok ? next.value : schedule.nextAt,
    isEnabled: next.ok,
  };
  await saveSchedule(tx, fired);
  await appendEvents(tx, [
    {
      projectId: schedule.projectId,
      taskId: done.ok ? done.value : null,
      type: done.ok ? 'schedule.fired' : 'schedule.failed',
      summary: done.ok ? `Schedule ${schedule.name} was due` : `Schedule ${schedule.name}: ${done.error.message}`,
      data: { schedule: fired },
      actor: by.actor,
    },
  ]);
  return true;
}

type By = { readonly actor: Actor; readonly defaultAgentType: string };

/** The same commands as a person's. Either all of them are carried out, or none. */
async function carryOut(store: Store, { projectId, action }: Schedule, by: By): Promise<Result<string>> {
  if (action.kind === 'move') return taskOf(await transitionTask(store, action, by), action.taskId);
  if (action.kind === 'start')
    return taskOf(await startAgent(store, { ...action, along: 'pipeline' }, by), action.taskId);
  const created = await createTask(store, { ...action.task, projectId }, by);
  if (!created.ok) return created;
  const taskId = created.value.id;
  const moved = action.to === undefined ? created : await transitionTask(store, { taskId, to: action.to }, by);
  if (!moved.ok) return moved;
  if (action.start === undefined) return taskOf(moved, taskId);
  return taskOf(await startAgent(store, { taskId, mode: action.start, along: 'pipeline' }, by), taskId);
}

function taskOf(result: Result<unknown>, taskId: string): Result<string> {
  return result.ok ? { ok: true, value: taskId } : result;
}
