import { type ApiClient, STATES_AT_ONCE, type TaskState } from '@attractor/api';
import { valueOf } from './value-of.ts';

/** How these tasks stand, by their ids. */
export async function readStates(
  client: ApiClient,
  tasks: ReadonlyArray<{ readonly id: string }>,
): Promise<ReadonlyMap<string, TaskState>> {
  const states = new Map<string, TaskState>();
  for (let from = 0; from < tasks.length; from += STATES_AT_ONCE) {
    const ids = tasks.slice(from, from + STATES_AT_ONCE).map(({ id }) => id);
    for (const { task, state } of valueOf(await client.tasks.states({ ids: ids.join(',') })))
      states.set(task.id, state);
  }
  return states;
}
