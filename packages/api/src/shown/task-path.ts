import type { Workflow } from '@attractor/platform';
import { showDuration } from './amounts.ts';

type Visit = { readonly count: number; readonly ms: number; readonly shown: string };

/** A task's way through its pipeline. */
export type TaskPath = {
  readonly current: string;
  /** By status: how often and how long it was there. */
  readonly visits: ReadonlyMap<string, Visit>;
  /** `from to` of each transition that it took. */
  readonly moves: ReadonlySet<string>;
};

type Begin = { readonly status: string; readonly createdAt: string; readonly now: number };

export function pathOf(entries: Awaited<ReturnType<Workflow['history']>>, { status, createdAt, now }: Begin): TaskPath {
  const sorted = entries.toSorted((a, b) => (a.at < b.at ? -1 : 1));
  const stays = [
    { status: sorted[0]?.from ?? status, since: createdAt },
    ...sorted.map(({ to, at }) => ({ status: to, since: at })),
  ];
  const visits = new Map<string, Visit>();
  stays.forEach((stay, at) => {
    const until = stays[at + 1]?.since;
    const ms = (until === undefined ? now : Date.parse(until)) - Date.parse(stay.since);
    const known = visits.get(stay.status);
    const sum = (known?.ms ?? 0) + Math.max(0, ms);
    visits.set(stay.status, { count: (known?.count ?? 0) + 1, ms: sum, shown: showDuration(sum) });
  });
  return { current: status, visits, moves: new Set(sorted.map(({ from, to }) => `${from} ${to}`)) };
}
