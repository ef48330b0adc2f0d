import { findTask, type Store, tasksOfIds } from '@attractor/store';
import { readInbox, readSession, readStates } from '@attractor/states';
import type { StateCommands } from './contract.ts';

export function createStateCommands({ store }: { readonly store: Store }): StateCommands {
  return {
    taskStates: async (ids) => readStates(store, await tasksOfIds(store.read, ids), { depth: 'steps' }),
    codingSession: async (taskId) => {
      const task = await findTask(store.read, taskId);
      return task === null ? null : readSession(store, task);
    },
    inbox: (filter = {}) => readInbox(store, filter),
  };
}
