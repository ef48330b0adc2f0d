import { STATES_AT_ONCE, type StatedTask, type TaskState } from '@attractor/api';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { valueOf } from './answers.ts';
import { api } from './api.ts';
import { useAfterLog } from './use-after-log.ts';

export type ShownState = TaskState & Pick<StatedTask, 'cameFrom'>;
export type States = Readonly<Record<string, ShownState>>;

const NONE: States = {};
/** What holds a run back changes without an event; whatever else stands here does not. */
const LOOK_MS = 15_000;
const PASSING: ReadonlySet<TaskState['kind']> = new Set(['queued', 'paused', 'working']);

/** How tasks stand, in the words of the server; asked for again when the log grows. The last known stay meanwhile. */
export function useStates(ids: ReadonlyArray<string>): States {
  useAfterLog(['states']);
  const query = useQuery({
    queryKey: ['states', ids.join(',')],
    queryFn: () => readStates(ids),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data = NONE } }) =>
      Object.values(data).some(({ kind }) => PASSING.has(kind)) ? LOOK_MS : false,
  });
  return query.data ?? NONE;
}

async function readStates(ids: ReadonlyArray<string>): Promise<States> {
  const states: Record<string, ShownState> = {};
  for (let from = 0; from < ids.length; from += STATES_AT_ONCE) {
    const part = ids.slice(from, from + STATES_AT_ONCE).join(',');
    for (const { task, state, cameFrom } of valueOf(await api.tasks.states({ ids: part })))
      states[task.id] = { ...state, cameFrom };
  }
  return states;
}
