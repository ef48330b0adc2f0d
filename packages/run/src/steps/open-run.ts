import {
  aboutTask,
  type Claim,
  findPipeline,
  findProject,
  findRunAndRequest,
  findTask,
  finishOnlyJob,
  insistOnClaim,
  isSilent,
  listProjects,
  listSteps,
  lookAtClaim,
  taskSubject,
  type Project,
  RUN_STEPS,
  type SavedStep,
  type Store,
  type Reader,
  type Tx,
} from '@attractor/store';
import { checkOutProject } from '@attractor/repository';
import { readSetupOnce } from '../run-context/confinement.ts';
import {
  LetGo,
  type RunContext,
  type RunServices,
  type StepFailure,
  type StepResults,
} from '../run-context/run-context.ts';

/** Claims in a row without progress; then the run is given up, so that others can continue. */
const MAX_FRUITLESS_CLAIMS = 5;

/** `workplace`: where it was last worked on. */
export type OpenRun = { readonly context: RunContext; readonly workplace: string | null; readonly close: () => void };

/** A run that this process claimed. `letGo` is aborted when it has to be given up; `slot` is its place. */
export type ClaimedRun = Pick<RunContext, 'claim' | 'letGo' | 'slot'>;

/** Everything known about a run, read from the database. Null if nothing is left to do. */
export async function openRun(services: RunServices, { claim, letGo, slot }: ClaimedRun): Promise<OpenRun | null> {
  const { store } = services;
  const found = await findWork(services, claim.runId);
  if (found === null) {
    await finishOnlyJob(store, claim);
    return null;
  }
  const { run, request, workplace, steps, task, project, pipeline } = found;
  const cancel = watchForCancel(store, { claim, taskId: task.id });
  const context: RunContext = {
    services,
    claim,
    task,
    project,
    pipeline,
    request,
    state: {
      run,
      results: readResults(steps),
      finished: new Set(steps.map((saved) => saved.step)),
      failure: readFailure(steps, claim),
      started: null,
      hasProgress: false,
      isMoved: false,
    },
    letGo,
    slot,
    cancel: cancel.signal,
    look: async () => {
      if (!cancel.isFresh() && !(await cancel.look(store.read))) throw new LetGo(LOST);
    },
    transact: (work, manner) => {
      let isSeen = false;
      const see = async (tx: Tx): Promise<void> => {
        if (isSilent(tx)) await insistOnClaim(tx, claim);
        else if (!(await cancel.look(tx))) throw new LetGo(LOST);
        isSeen = true;
      };
      return store.transact(
        async (tx) => {
          if (!isSeen) throw new Error('Nothing is written for a run without a look at its claim');
          isSeen = false;
          return work(tx);
        },
        aboutTask(task.id),
        see,
        manner,
      );
    },
    readSetup: readSetupOnce(services.readSetup, { project, overrides: request.overrides }),
    carry: { work: async () => null, stop: async () => undefined },
  };
  // One that goes on may have a long way here. What has just begun looks when its first step does.
  if (steps.length > 0) await cancel.look(store.read);
  return { context, workplace, close: cancel.close };
}

/** Null: every step is done, or there is no such run any more. */
async function findWork(services: RunServices, runId: string) {
  const { read } = services.store;
  const found = await findRunAndRequest(read, runId);
  const steps = await listSteps(read, runId);
  if (found === null || steps.length === RUN_STEPS.length) return null;
  const task = await findTask(read, found.run.taskId);
  const project = await projectHere(services, found.run.projectId);
  const pipeline = task === null ? null : await findPipeline(read, task.pipelineId, task.pipelineVersion);
  return task === null || project === null || pipeline === null ? null : { ...found, steps, task, project, pipeline };
}

/** If it can't be had on this machine, the first step that needs it reports that. */
async function projectHere(services: RunServices, projectId: string): Promise<Project | null> {
  const project = await findProject(services.store.read, projectId);
  const repositories = async () => (await listProjects(services.store.read)).map(({ path }) => path);
  const here = project === null ? null : await checkOutProject(project, { ...services, repositories });
  return here?.ok === true ? here.value : project;
}

const LOST = 'another worker has this run';

function readResults(steps: ReadonlyArray<SavedStep>): Partial<StepResults> {
  return Object.fromEntries(steps.filter((saved) => saved.ok).map((saved) => [saved.step, saved.result]));
}

function readFailure(steps: ReadonlyArray<SavedStep>, claim: Claim): StepFailure | null {
  const failed = steps.find((saved) => !saved.ok);
  if (failed !== undefined) return asFailure(failed.result);
  if (claim.attempts <= MAX_FRUITLESS_CLAIMS) return null;
  return {
    code: 'poison',
    message: `The run was given up: ${claim.attempts - 1} attempts in a row ended without progress`,
  };
}

function asFailure(value: unknown): StepFailure {
  const failure: Partial<StepFailure> = typeof value === 'object' && value !== null ? value : {};
  return { ...failure, code: failure.code ?? 'unexpected', message: failure.message ?? 'unknown' };
}

/** Changes come in bunches, and one look answers for all of them. */
const BUNCH_MS = 50;

/** What a look answers for while nothing is heard of a change: a step that follows the end of another begins within less. */
const FRESH_MS = 100;

/** `look` tells whether the claim is still held, `isFresh` whether that was just seen. */
function watchForCancel(store: Store, { claim, taskId }: { readonly claim: Claim; readonly taskId: string }) {
  const controller = new AbortController();
  let heldAt = -Infinity;
  const look = async (db: Reader): Promise<boolean> => {
    const { isHeld, isCancelRequested } = await lookAtClaim(db, claim);
    if (isHeld && isCancelRequested) controller.abort('user_cancelled');
    heldAt = isHeld ? performance.now() : -Infinity;
    return isHeld;
  };
  const isFresh = (): boolean => performance.now() - heldAt < FRESH_MS;
  let due: NodeJS.Timeout | undefined;
  const lookSoon = (): void => {
    heldAt = -Infinity;
    due ??= setTimeout(() => {
      due = undefined;
      // The next change makes up for a failed read.
      void look(store.read).catch(() => undefined);
    }, BUNCH_MS);
  };
  const stop = store.onChange(lookSoon, ['run_wishes'], taskSubject(taskId));
  const close = (): void => {
    stop();
    clearTimeout(due);
  };
  return { signal: controller.signal, look, isFresh, close };
}
