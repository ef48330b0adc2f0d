import type { AttemptGroup, TaskDiff } from '@attractor/api';
import { useQueries } from '@tanstack/react-query';
import { valueOf } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { type Compared, type TaskWorld } from '@attractor/api/shown';

/** The runs with what each changed; a change that can not be read is left out, the rest is still compared. */
export function useCompared(
  world: TaskWorld,
  group: AttemptGroup | null,
  ids: ReadonlyArray<string>,
): ReadonlyArray<Compared> {
  const diffs = useDiffs(world, ids, group?.status);
  return ids.flatMap((id) => {
    const view = world.runs[id];
    const run = view?.run ?? null;
    return view === undefined || run === null
      ? []
      : [{ run, view, diff: diffs[id] ?? null, attempt: attemptOf(group, id) }];
  });
}

function attemptOf(group: AttemptGroup | null, id: string): Compared['attempt'] {
  const own = group?.attempts.find(({ run }) => run.id === id);
  return own === undefined ? null : { number: own.number, place: own.place, isTaken: group?.winnerRunId === id };
}

/** While attempts are judged their work may be on its way: it is asked for again once they were. */
function useDiffs(
  world: TaskWorld,
  ids: ReadonlyArray<string>,
  judged: AttemptGroup['status'] | undefined,
): Readonly<Record<string, TaskDiff>> {
  const found = useQueries({
    queries: ids.map((id) => {
      // The change of a run that has ended stays as it is; that of a run at work is asked for as its steps go on.
      const steps = world.runs[id]?.steps.filter(({ state }) => state === 'done').length ?? 0;
      const status = world.runs[id]?.run?.status;
      return {
        queryKey: ['run-diff', id, steps, status, judged],
        queryFn: async () => valueOf(await api.runs.diff(id)),
        staleTime: Number.POSITIVE_INFINITY,
        retry: (count: number) => status !== 'running' && count < 3,
        retryDelay: 1_000,
      };
    }),
  });
  return Object.fromEntries(ids.flatMap((id, at) => (found[at]?.data === undefined ? [] : [[id, found[at].data]])));
}
