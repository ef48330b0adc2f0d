import { appendEvents, holdsClaim, taskSubject } from '@attractor/store';
import {
  type CarriedWork,
  type LastCarried,
  findRemote,
  forgetRefs,
  keepCarried,
  personRemoteOptions,
  pushRefs,
  snapshotWork,
  stateRef,
  type RemoteOptions,
  workRef,
} from '@attractor/repository';
import { agentFolder } from './agent-folder.ts';
import { eventOf, type RunContext, type StepResults } from '../run-context/run-context.ts';

type Prepared = StepResults['prepare'];

/** Numbers of a later claim are higher than those of any earlier one: a worker that lost the run can't pass for the newest. */
const NUMBERS_PER_CLAIM = 1_000_000;
const LEAST_PAUSE_MS = 1_000;
const SLOW_FACTOR = 10;

/**
 * Keeps a run's work where another machine finds it: soon after changes, without delaying the agent, and before each step is saved, so that
 * everything the database calls done is there too. A database of a single machine needs no carrier, and without a remote there is no such
 * place: whoever goes on in another home of the same machine finds the worktree itself.
 */
export type Carrier = {
  /** This process gives up the run, and another may continue at once. */
  readonly leave: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const NOBODY: Carrier = { leave: async () => undefined, stop: async () => undefined };

export function startCarrier(context: RunContext): Carrier {
  const { store } = context.services;
  if (store.dialect !== 'postgres') return NOBODY;
  const carry = carrying(context);
  let timer: NodeJS.Timeout | undefined;
  let pause = LEAST_PAUSE_MS;
  let last: Promise<string | null> = Promise.resolve(null);
  const now = (prepared?: Prepared): Promise<string | null> => {
    clearTimeout(timer);
    timer = undefined;
    // One that failed is made up for by the next: it says nothing about those to come.
    last = last
      .catch(() => null)
      .then(async () => {
        const began = performance.now();
        const problem = await carry(prepared);
        pause = Math.max(LEAST_PAUSE_MS, (performance.now() - began) * SLOW_FACTOR);
        return problem;
      });
    return last;
  };
  context.carry.work = now;
  let heard = 0;
  const whenHeard = async (): Promise<void> => {
    timer = undefined;
    const seq = await lastOfRun(context);
    if (seq === heard) return;
    heard = seq;
    await now();
  };
  const stopListening = store.onChange(
    () => {
      if (timer !== undefined || context.letGo.aborted) return;
      // If the run was lost meanwhile there is nothing to report here; the step's own carrying notices too.
      timer = setTimeout(() => void whenHeard().catch(() => undefined), pause);
      timer.unref();
    },
    ['events'],
    taskSubject(context.task.id),
  );
  const stop = async (): Promise<void> => {
    stopListening();
    clearTimeout(timer);
    await last.catch(() => null);
  };
  context.carry.stop = stop;
  return { leave: async () => void (await now().catch(() => null)), stop };
}

/** Events of other runs change nothing here. */
async function lastOfRun({ services, state }: RunContext): Promise<number> {
  const row = await services.store.read
    .selectFrom('events')
    .select('seq')
    .where('run_id', '=', state.run.id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** Carries what changed since the last time. Tells why it could not, which is also reported once. */
function carrying(context: RunContext): (prepared?: Prepared) => Promise<string | null> {
  const { services, claim, state } = context;
  const runId = state.run.id;
  let n = claim.fence * NUMBERS_PER_CLAIM;
  let known: CarriedWork | null = null;
  let isTold = false;
  const lastCarried: LastCarried = {};
  let into: string | null = null;
  let talk: RemoteOptions | null = null;
  const complain = async (problem: string): Promise<string> => {
    if (isTold) return problem;
    isTold = true;
    const summary = `Another machine could not continue this run: ${problem}`;
    const told = eventOf(context, { type: 'work.carry_failed', summary });
    await context.transact((tx) => appendEvents(tx, [told]), 'silent');
    return problem;
  };
  return async (prepared) => {
    const prepare = prepared ?? state.results.prepare;
    if (prepare === undefined) return null;
    const { repository, worktree } = prepare;
    const remote = await findRemote(repository);
    if (remote === null) return complain('the project has no remote');
    if (!(await holdsClaim(services.store.read, claim))) return null;
    // After a move to another home the refs are of another repository.
    if (into !== repository.gitFolder) known = null;
    into = repository.gitFolder;
    const place = {
      repository,
      runId,
      worktree: worktree.path,
      statePath: agentFolder(context),
      author: services.author,
      last: lastCarried,
    };
    const snapshot = await snapshotWork(place);
    if (!snapshot.ok) return complain(snapshot.error.message);
    if (known !== null && known.work === snapshot.value.work && known.state === snapshot.value.state) return null;
    n += 1;
    const carried = { n, ...snapshot.value };
    const old = known === null ? [] : [workRef(runId, known.n), stateRef(runId, known.n)];
    const kept = await keepCarried(repository, runId, carried);
    if (!kept.ok) return complain(kept.error.message);
    talk ??= await personRemoteOptions(services.hostEnv, repository.root);
    const put = [workRef(runId, n), stateRef(runId, n)];
    const pushed = await pushRefs({ repository, remote, talk }, { put, drop: old });
    if (!pushed.ok) return complain(pushed.error.message);
    if (old.length > 0) await forgetRefs(repository, old);
    known = carried;
    return null;
  };
}
