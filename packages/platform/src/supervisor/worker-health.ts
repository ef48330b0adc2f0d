import {
  listRunningJobs,
  listWorkers,
  ownerState,
  parseJson,
  signState,
  type Store,
  type WorkerRecord,
} from '@attractor/store';
import type { HealthPart } from './findings.ts';

/** A worker in the report: `silent` and `dead` ones left without notice. */
type Seen = {
  readonly host: string;
  readonly pid: number;
  readonly state: 'at work' | 'idle' | 'silent' | 'dead';
  readonly runs: number;
  readonly concurrency: number;
  readonly labels: ReadonlyArray<string>;
  readonly lastSign: string;
};

/** Lists idle workers with their last sign of life. Unhealthy if dead workers left runs behind. */
export async function readWorkers(store: Store): Promise<Omit<HealthPart, 'name'>> {
  const owners = (await listRunningJobs(store.read)).flatMap(({ owner }) => (owner === null ? [] : [owner]));
  const now = await store.now();
  const list = (await listWorkers(store.read)).map((worker) => seenAs(worker, owners, now));
  const distinct = [...new Set(owners)];
  const dead = distinct.filter((owner) => ownerState(owner) === 'dead').length;
  const atWork = distinct.length - dead;
  const left = dead === 0 ? [] : [`${dead} died: others continue their runs`];
  const summary = [
    `${atWork} at work, ${owners.length} ${owners.length === 1 ? 'run' : 'runs'}`,
    ...STATES.flatMap((state) => told(list, state)),
    ...left,
  ];
  const idle = list.filter(({ state }) => state === 'idle').length;
  const waiting = await countWaiting(store);
  const isStuck = waiting > 0 && atWork + idle === 0;
  const stuck = isStuck ? [`nothing works on the ${waiting} that wait: start attractor serve or attractor worker`] : [];
  return {
    ok: dead === 0 && !isStuck,
    summary: [...stuck, ...summary].join('; '),
    detail: { workers: atWork + idle, atWork, idle, dead, runs: owners.length, list },
  };
}

async function countWaiting({ read }: Store): Promise<number> {
  const row = await read
    .selectFrom('jobs')
    .select((jobs) => jobs.fn.countAll().as('waiting'))
    .where('state', '=', 'queued')
    .executeTakeFirst();
  return Number(row?.waiting ?? 0);
}

function seenAs(worker: WorkerRecord, owners: ReadonlyArray<string>, now: number): Seen {
  const { owner, host, concurrency, labels, seenAt } = worker;
  const runs = owners.filter((other) => other === owner).length;
  const sign = signState(worker, now);
  const state = sign === 'here' ? (runs > 0 ? 'at work' : 'idle') : sign;
  const { pid } = parseJson(owner, { pid: 0 });
  return { host, pid, state, runs, concurrency, labels, lastSign: seenAt };
}

const STATES = ['idle', 'silent', 'dead'] as const;
const MOST_TOLD = 5;

function told(list: ReadonlyArray<Seen>, state: (typeof STATES)[number]): ReadonlyArray<string> {
  const those = list.filter((worker) => worker.state === state);
  if (those.length === 0) return [];
  const names = those
    .slice(0, MOST_TOLD)
    .map(({ host, pid, lastSign }) => `${host} pid ${pid}, last sign of life ${lastSign}`);
  const more = those.length > MOST_TOLD ? ` and ${those.length - MOST_TOLD} more` : '';
  return [`${those.length} ${state} (${names.join('; ')}${more})`];
}
