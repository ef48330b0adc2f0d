import type { RunView } from '../views/run.ts';
import type { TaskView } from '../views/task.ts';
import type { AttemptGroup, AgentRun, TaskDiff } from '@attractor/platform';

/** A run as it is held against others. */
export type Compared = {
  readonly run: AgentRun;
  readonly view: RunView;
  readonly diff: TaskDiff | null;
  /** Of several attempts: which one it is, and which place it got. */
  readonly attempt: { readonly number: number; readonly place: number | null; readonly isTaken: boolean } | null;
};

/** Which runs are held against each other: those that the address names, else the newest attempts, else the last two. */
export function chosenRuns(
  { task: { runs } }: { readonly task: TaskView },
  group: AttemptGroup | null,
  named: ReadonlyArray<string>,
): ReadonlyArray<string> {
  const all = runs.map(({ run }) => run);
  const wanted = named.flatMap((name) => all.find(({ id, key }) => id === name || key === name)?.id ?? []);
  if (wanted.length > 0) return wanted;
  if (group !== null) return group.attempts.map(({ run }) => run.id);
  return all.slice(-2).map(({ id }) => id);
}

export function failedChecks({ view }: Compared): ReadonlyArray<string> {
  return view.checks
    .filter(({ phase, passed, known }) => phase === 'branch' && !passed && known !== true)
    .map(({ name }) => name);
}

/** Work that breaks a check, and no work at all, are not compared by their size. */
export function changedLines(one: Compared): number | null {
  const lines = one.diff === null ? 0 : one.diff.additions + one.diff.deletions;
  return lines === 0 || failedChecks(one).length > 0 ? null : lines;
}

export function timeOf({ run }: Compared): number | null {
  if (run.durationMs !== null) return run.durationMs;
  return run.finishedAt === null ? null : Date.parse(run.finishedAt) - Date.parse(run.startedAt);
}

/** What looks the same is the same. */
export function roundedTime(one: Compared): number | null {
  const ms = timeOf(one);
  return ms === null ? null : Math.round(ms / 1000);
}

/** A figure of which less is better. */
type Figure = (one: Compared) => number | null;

/** The runs with the least; nobody is best while one is at work, where all are alike, or where less than two have a figure. */
export function bestBy(runs: ReadonlyArray<Compared>, figure: Figure): ReadonlySet<string> {
  // Nobody is first who is not there yet.
  if (runs.some(({ run }) => run.status === 'running')) return new Set();
  const known = runs.flatMap((one) => {
    const value = figure(one);
    return value === null ? [] : [{ id: one.run.id, value }];
  });
  const values = new Set(known.map(({ value }) => value));
  if (values.size < 2) return new Set();
  const least = Math.min(...values);
  return new Set(known.filter(({ value }) => value === least).map(({ id }) => id));
}

/** Every file that any of them changed: first what most of them did. */
export function filesOf(runs: ReadonlyArray<Compared>): ReadonlyArray<string> {
  const counts = new Map<string, number>();
  for (const { path } of runs.flatMap(({ diff }) => diff?.files ?? [])) counts.set(path, (counts.get(path) ?? 0) + 1);
  const byCount = (a: string, b: string) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || (a < b ? -1 : 1);
  return [...counts.keys()].toSorted(byCount);
}
