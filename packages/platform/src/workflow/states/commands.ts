import { type Store, tasksOfIds } from '@attractor/store';
import { readInbox, readStates } from '@attractor/states';
import type { StateCommands } from './contract.ts';

export function createStateCommands({ store }: { readonly store: Store }): StateCommands {
  return {
    taskStates: async (ids) => readStates(store, await tasksOfIds(store.read, ids), { depth: 'steps' }),
    inbox: (filter = {}) => readInbox(store, filter),
  };
}
