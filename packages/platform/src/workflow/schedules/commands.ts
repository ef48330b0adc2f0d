import { listSchedules, refuseOnDatabaseError, type Store } from '@attractor/store';
import type { ScheduleCommands } from './contract.ts';
import { deleteSchedule, saveSchedule } from './schedules.ts';

export function createScheduleCommands({ store }: { readonly store: Store }): ScheduleCommands {
  return {
    listSchedules: (filter = {}) => listSchedules(store.read, filter),
    saveSchedule: (input, actor) => refuseOnDatabaseError(() => saveSchedule(store, input, actor)),
    deleteSchedule: (id, actor) => refuseOnDatabaseError(() => deleteSchedule(store, id, actor)),
  };
}
